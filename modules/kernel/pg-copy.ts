// The text format of Postgres' COPY: a line is a row, tabs separate its fields, `\N` is null, and a backslash escapes special characters.
// https://www.postgresql.org/docs/current/sql-copy.html

const UNESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** The fields of a line that COPY wrote. None of them may be null. */
export const decodeCopyLine = (line: string) => {
  const parts = line.split('\t')
  return line.includes('\\') ? parts.map(part => part.replace(/\\(.)/g, (_, c: string) => UNESCAPED[c] ?? c)) : parts
}
