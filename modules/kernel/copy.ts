/** The text form of Postgres' COPY: a line a row, fields apart by tabs, `\N` for null, and a backslash before what would be mistaken. */
const WRITTEN: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const READ: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** A value as COPY reads it. */
export const field = (value: unknown) => {
  if (value === null || value === undefined) return '\\N'
  const text = `${value}`
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, c => WRITTEN[c]!) : text
}

/** The fields of a line that COPY wrote; none of them null. */
export const fields = (line: string) => {
  const parts = line.split('\t')
  return line.includes('\\') ? parts.map(part => part.replace(/\\(.)/g, (_, c: string) => READ[c] ?? c)) : parts
}
