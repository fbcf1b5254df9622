// The text format of Postgres' COPY: a line is a row, tabs separate its fields, `\N` is null, and a backslash escapes special characters.
// https://www.postgresql.org/docs/current/sql-copy.html

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const UNESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** A value as a field of a line for COPY; `\N` for null and undefined. */
export const encodeCopyField = (value: unknown) => {
  if (value === null || value === undefined) return '\\N'
  const text = `${value}`
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, c => ESCAPES[c]!) : text
}

/** The fields of a line that COPY wrote. None of them may be null. */
export const decodeCopyLine = (line: string) => {
  const parts = line.split('\t')
  return line.includes('\\') ? parts.map(part => part.replace(/\\(.)/g, (_, c: string) => UNESCAPED[c] ?? c)) : parts
}
