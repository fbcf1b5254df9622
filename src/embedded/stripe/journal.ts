import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

/**
 * Lines of JSON, each written whole or not at all: what a process that was killed left unfinished is cut off at the next start.
 * The system holds what was written, so only a power cut can lose the last lines.
 */
export function openJournal(file: string) {
  const fd = openSync(file, 'a+', 0o600)
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf(10) + 1
  if (end < bytes.length) ftruncateSync(fd, end)
  return {
    lines: () => bytes.toString('utf8', 0, end).split('\n').filter(Boolean),
    append(line: string) {
      write(fd, `${line}\n`)
    },
    close: () => closeSync(fd),
  }
}

/** Puts these lines in place of the file's, in one step. */
export function replaceJournal(file: string, lines: Iterable<string>) {
  const fd = openSync(`${file}.new`, 'w', 0o600)
  for (const line of lines) write(fd, `${line}\n`)
  fsyncSync(fd)
  closeSync(fd)
  renameSync(`${file}.new`, file)
}

function write(fd: number, content: string) {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}
