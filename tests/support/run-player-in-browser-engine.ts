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
import type { VideoPlayerClip } from '../../src/player/clip-source.ts'
import { type ClipName, ensureTestClip, expectedClipFrameNumbers, frameTableOf, renderRenditionOfTestClip } from './test-clips.ts'

// Runs the real player alone on a page in any browser engine; the page requests frames and reports which frames the player showed.

export interface ClipFramesRequest {
  name: string
  prepared: boolean
  frames: number[]
  clip: VideoPlayerClip
}
export interface ClipFramesReport extends Omit<ClipFramesRequest, 'clip'> {
  /** Whether the browser can play the clip at all. */
  played: boolean
  /** The burned-in number shown for each requested frame; null if the player did not confirm that it shows the frame. */
  pictures: (number | null)[]
  /** Time from each request until the player confirmed its frame, or the page gave up. */
  milliseconds: number[]
  /** Bytes of video that the page downloaded. */
  bytes?: number
  error?: string
}

/** The command that opens a page with a fresh profile in each engine; undefined if the engine is not installed. */
export const BROWSER_LAUNCH_COMMANDS: Record<'chromium' | 'firefox' | 'webkit', ((home: string) => string[]) | undefined> = {
  chromium: mapDefined(findHeadlessChromium(), program => home => [
    ...[program, '--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${home}`],
  ]),
  firefox: mapDefined(findFirefox(), program => home => [program, '--headless', '--no-remote', '--profile', home]),
  webkit: mapDefined(findMiniBrowser(), program => () => ['xvfb-run', '-a', program, '--private']),
}
export type BrowserEngine = keyof typeof BROWSER_LAUNCH_COMMANDS

function mapDefined<T, R>(value: T | undefined, make: (value: T) => R): R | undefined {
  return value === undefined ? undefined : make(value)
}

/** The frames of a clip to show, in this order. `prepared`: whether to show the rendition instead of the original. */
export interface WantedFrames {
  name: string
  file: string
  prepared: boolean
  frames: number[]
}
export async function randomWantedFrames(name: ClipName, prepared: boolean, many: number): Promise<WantedFrames> {
  const all = expectedClipFrameNumbers(name).length
  return { name, file: await ensureTestClip(name), prepared, frames: Array.from({ length: many }, () => Math.floor(Math.random() * all)) }
}

/** Whether the picture with this index shows the requested frame. */
const isRightPicture = ({ name, prepared, frames, pictures }: ClipFramesReport, i: number) => {
  const shown = expectedClipFrameNumbers(name as ClipName)[frames[i]!]!
  // In the damaged original, every twentieth frame has the same time as the next, and engines differ in which of the two they show.
  return pictures[i] === shown || (name === 'zero-length.mp4' && !prepared && pictures[i] === shown - 1 && shown % 20 === 0)
}

/** Counts the clips that played, the frames requested from them, the wrong frames, and those that the player did not confirm. */
export function summarizeFrameReports(seen: ClipFramesReport[]) {
  const played = seen.filter(s => s.played)
  const refused = played.flatMap(s => s.pictures.filter(p => p === null)).length
  const wrong = played.flatMap(s => s.pictures.filter((p, i) => p !== null && !isRightPicture(s, i))).length
  return { played: played.length, asked: played.flatMap(s => s.pictures).length, wrong, refused }
}

/** The files and frame tables of the test server, by path. */
interface PageFiles {
  files: Map<string, string>
  tables: Map<string, string>
}

/** Adds a clip's files to those of the test server, under a path. Returns the clip in the API's format. */
export async function registerClipOnTestServer(
  at: string,
  file: string,
  table: object | null,
  prepared: boolean,
  { files, tables }: PageFiles,
): Promise<VideoPlayerClip> {
  files.set(`${at}/original`, file)
  tables.set(`${at}/table`, JSON.stringify(table))
  if (prepared) files.set(`${at}/rendition`, await renderRenditionOfTestClip(file))
  const rendition = {
    state: prepared ? ('ready' as const) : ('waiting' as const),
    progress: 0,
    reason: null,
    unseen: false,
    filmstrip: null,
    url: prepared ? `${at}/rendition` : null,
    bytes: 1,
    width: null,
    height: null,
    table: `${at}/table`,
  }
  return { id: at, url: `${at}/original`, rendition }
}

/** Shows frames of clips with the player in one engine. Returns a report on each clip. */
export async function showFramesInEngine(engine: BrowserEngine, wanted: WantedFrames[]): Promise<ClipFramesReport[]> {
  const store: PageFiles = { files: new Map(), tables: new Map() }
  const asked: ClipFramesRequest[] = []
  for (const [i, { name, file, prepared, frames }] of wanted.entries())
    asked.push({ name, prepared, clip: await registerClipOnTestServer(`/${i}`, file, await frameTableOf(file), prepared, store), frames })
  return runPageScriptInEngine(engine, 'frame-report-page-script.ts', { asked }, store)
}

/**
 * Opens a page with a script from this folder in a browser engine. The script fetches `asked`, posts its reports, and says when it is done.
 * Returns the reports. @throws Error if the browser exits before that
 */
export async function runPageScriptInEngine<S>(
  engine: BrowserEngine,
  entry: string,
  asked: object,
  { files, tables }: PageFiles,
): Promise<(S & { bytes: number })[]> {
  let sent = 0
  const script = await bundleScript(entry)
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
  const [program, ...args] = BROWSER_LAUNCH_COMMANDS[engine]!(home)
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
    // Kill the whole process group, including helper processes.
    if (browser.exitCode === null) process.kill(-browser.pid!, 'SIGKILL')
    await gone
    server.closeAllConnections()
    server.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  return results
}

/** Sends a file or the requested range of it. */
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

/** Bundles a script from this folder with all its imports. */
export async function bundleScript(entry: string): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, target: 'es2022', lib: { entry: join(import.meta.dirname, entry), formats: ['es'] } },
  })
  const [chunk] = [made].flat() as { output: { code: string }[] }[]
  return chunk!.output[0]!.code
}
