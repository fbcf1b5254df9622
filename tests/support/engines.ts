import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'vite'
import { findFirefox, findHeadlessChromium, findMiniBrowser } from '../../scripts/find-browsers.mjs'
import type { Clip } from '../../src/player/source.ts'
import { type ClipName, clip, renditionOf, shownIn, tableOf } from './clips.ts'

/** The real player, alone on a page, in any engine: the page asks it for frames by itself and tells what it saw. */

export interface Asked {
  name: string
  prepared: boolean
  frames: number[]
  clip: Clip
}
export interface Seen extends Omit<Asked, 'clip'> {
  /** The browser can play it at all. */
  played: boolean
  /** The burnt-in number of each frame asked for; null where the player was not sure of its picture. */
  pictures: (number | null)[]
  /** From asking to the picture, each. */
  milliseconds: number[]
  /** Fetched of the video meanwhile. */
  bytes?: number
  error?: string
}

/** How each engine opens a page with a profile of its own; undefined where it is not here. */
export const engines: Record<'chromium' | 'firefox' | 'webkit', ((home: string) => string[]) | undefined> = {
  chromium: having(findHeadlessChromium(), program => home => [
    ...[program, '--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${home}`],
  ]),
  firefox: having(findFirefox(), program => home => [program, '--headless', '--no-remote', '--profile', home]),
  webkit: having(findMiniBrowser(), program => () => ['xvfb-run', '-a', program, '--private']),
}
export type Engine = keyof typeof engines

function having<T, R>(value: T | undefined, make: (value: T) => R): R | undefined {
  return value === undefined ? undefined : make(value)
}

/** What is asked for: which frames of a clip, in which order, of its rendition or the original. */
export interface Wanted {
  name: string
  file: string
  prepared: boolean
  frames: number[]
}
export async function atRandom(name: ClipName, prepared: boolean, many: number): Promise<Wanted> {
  const all = shownIn(name).length
  return { name, file: await clip(name), prepared, frames: Array.from({ length: many }, () => Math.floor(Math.random() * all)) }
}

/** Whether a burnt-in number is that of a frame. */
const right = ({ name, prepared, frames, pictures }: Seen, i: number) => {
  const shown = shownIn(name as ClipName)[frames[i]!]!
  // In a damaged original two pictures have the same time, and engines differ on which of them is seen.
  return pictures[i] === shown || (name === 'zero-length.mp4' && !prepared && pictures[i] === shown - 1 && shown % 20 === 0)
}

/** How many frames were asked for in all, how often another was seen, and how often the player was sure of none. */
export function judged(seen: Seen[]) {
  const played = seen.filter(s => s.played)
  const refused = played.flatMap(s => s.pictures.filter(p => p === null)).length
  const wrong = played.flatMap(s => s.pictures.filter((p, i) => p !== null && !right(s, i))).length
  return { played: played.length, asked: played.flatMap(s => s.pictures).length, wrong, refused }
}

/** What a page may fetch: files by their address, and frame tables. */
interface Store {
  files: Map<string, string>
  tables: Map<string, string>
}

/** A clip as the API would give it, its files under an address of the page. */
export async function offered(at: string, file: string, table: object | null, prepared: boolean, { files, tables }: Store): Promise<Clip> {
  files.set(`${at}/original`, file)
  tables.set(`${at}/table`, JSON.stringify(table))
  if (prepared) files.set(`${at}/rendition`, await renditionOf(file))
  const rendition = {
    ...{ state: prepared ? ('ready' as const) : ('waiting' as const), progress: 0, reason: null, unseen: false, filmstrip: null },
    ...{ url: prepared ? `${at}/rendition` : null, bytes: 1, width: null, height: null, table: `${at}/table` },
  }
  return { id: at, url: `${at}/original`, rendition }
}

/** Asks the player for frames of clips in one engine. */
export async function seenIn(engine: Engine, wanted: Wanted[]): Promise<Seen[]> {
  const store: Store = { files: new Map(), tables: new Map() }
  const asked: Asked[] = []
  for (const [i, { name, file, prepared, frames }] of wanted.entries())
    asked.push({ name, prepared, clip: await offered(`/${i}`, file, await tableOf(file), prepared, store), frames })
  return page(engine, 'stage-page.ts', { asked }, store)
}

/** Opens a page with this script in an engine; it fetches what it is asked for, tells what it saw, and when it is done. */
export async function page<S>(engine: Engine, entry: string, asked: object, { files, tables }: Store): Promise<(S & { bytes: number })[]> {
  let sent = 0
  const script = await bundled(entry)
  const results: (S & { bytes: number })[] = []
  const done = Promise.withResolvers<void>()
  const server = createServer(async (request, reply) => {
    const path = request.url ?? '/'
    const file = files.get(path)
    if (file) return send(file, request, reply, bytes => (sent += bytes))
    if (path === '/seen') {
      results.push({ ...JSON.parse(await text(request)), bytes: sent })
      sent = 0
    }
    if (path === '/done') done.resolve()
    reply.setHeader('content-type', path === '/' ? 'text/html' : path === '/script.js' ? 'text/javascript' : 'application/json')
    reply.end(
      path === '/'
        ? '<!doctype html><title>Frames</title><body><script type="module" src="/script.js"></script>'
        : path === '/script.js'
          ? script
          : path === '/asked'
            ? JSON.stringify(asked)
            : (tables.get(path) ?? ''),
    )
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const home = await mkdtemp(join(tmpdir(), `frames-${engine}-`))
  const [program, ...args] = engines[engine]!(home)
  const browser = spawn(program!, [...args, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, HOME: home },
  })
  browser.once('exit', code => done.reject(new Error(`${engine} ended with ${code} after ${results.length} clips.`)))
  try {
    await done.promise
  } finally {
    browser.removeAllListeners('exit')
    const gone = new Promise(end => browser.once('exit', end))
    // The whole group: its helpers, too.
    if (browser.exitCode === null) process.kill(-browser.pid!, 'SIGKILL')
    await gone
    server.closeAllConnections()
    server.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  return results
}

/** A file, or the part of it that is asked for. */
async function send(path: string, request: IncomingMessage, reply: ServerResponse, sent: (bytes: number) => void) {
  const { size } = await stat(path)
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = to ? Math.min(size - 1, Number(to)) : size - 1
  reply.writeHead(from ? 206 : 200, {
    'content-type': path.endsWith('.webm') ? 'video/webm' : path.endsWith('.mov') ? 'video/quicktime' : 'video/mp4',
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    ...(from && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  createReadStream(path, { start, end })
    .on('data', part => sent(part.length))
    .pipe(reply)
}

/** A file of this folder with all it imports, for a page. */
export async function bundled(entry: string): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, target: 'es2022', lib: { entry: join(import.meta.dirname, entry), formats: ['es'] } },
  })
  const [chunk] = [made].flat() as { output: { code: string }[] }[]
  return chunk!.output[0]!.code
}
