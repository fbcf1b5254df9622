import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

/**
 * Opens a journal of JSON lines. Each line is written completely or not at all: if a killed process left its last line unfinished, the
 * next start cuts that line off. Lines are not flushed to the disk (fsync), so a power failure may lose the last ones.
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

/** Replaces the file's contents with these lines, atomically. */
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
