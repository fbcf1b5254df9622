import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadMediaEngine } from '../../../modules/media/preparation-process/media-engine.ts'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { type MediaWorkerTestbed, startMediaWorkerTestbed } from './media-worker-testbed.ts'

// Files that refer to other files or URLs: playlists, lists of parts, a manifest, and movies whose frames are elsewhere. The tests notice
// if anything opens what these files refer to.

let testbed: MediaWorkerTestbed
let dir: string
let pipe: string
let address: string
let visits = 0
const listener = createServer(socket => {
  visits++
  socket.destroy()
})

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'elsewhere-'))
  testbed = await startMediaWorkerTestbed()
  pipe = join(dir, 'secret')
  execFileSync('mkfifo', [pipe])
  await new Promise<void>(listening => listener.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/part.mp4`
})
afterAll(async () => {
  listener.close()
  await Promise.all([testbed.end(), rm(dir, { recursive: true })])
})

/** Whether a process has opened this pipe for reading: only then can it be opened for writing without blocking. */
function isRead() {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
    return true
  } catch {
    return false
  }
}

/** Returns a movie whose frames are in another file or at a URL. The index is at the end of the sample, so the index can grow. */
function movieReferringTo(place: string): Buffer {
  const file = readFileSync(sampleVideos.mov)
  const at = file.indexOf('url ', file.indexOf('dref')) - 4
  const reference = Buffer.from(`${place}\0`)
  // Flags of 0 say that the bytes are not in this file.
  const url = Buffer.concat([Buffer.from([0, 0, 0, 12 + reference.length]), Buffer.from('url '), Buffer.alloc(4), reference])
  const grown = Buffer.concat([file.subarray(0, at), url, file.subarray(at + 12)])
  for (const around of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const size = grown.indexOf(around) - 4
    grown.writeUInt32BE(grown.readUInt32BE(size) + reference.length, size)
  }
  return grown
}

const playlist = (place: string) => Buffer.from(`#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${place}\n#EXT-X-ENDLIST\n`)
const files = (): [name: string, file: Buffer][] => [
  ['a playlist of a file', playlist(`file://${pipe}`)],
  ['a playlist of an address', playlist(address)],
  ['a list of parts that are files', Buffer.from(`ffconcat version 1.0\nfile '${pipe}'\n`)],
  ['a list of parts that are addresses', Buffer.from(`ffconcat version 1.0\nfile '${address}'\n`)],
  [
    'a manifest',
    Buffer.from(
      `<MPD><Period><AdaptationSet><Representation><BaseURL>${address}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    ),
  ],
  ['a movie that refers to a file', movieReferringTo(`file://${pipe}`)],
  ['a movie that refers to an address', movieReferringTo(address)],
]

test('the media engine does not open files or URLs that a video refers to', async () => {
  const facts = await readContainerFile(sampleVideos.mov, 'video/quicktime')
  for (const [name, file] of files()) {
    const path = join(dir, 'original')
    await writeFile(path, file)
    // This skips `readContainerFile`, which refuses most of these files.
    const { render } = await loadMediaEngine()
    await render(path, join(dir, 'out.mp4'), facts, () => {}).catch(() => {})
    expect([name, visits, isRead()]).toEqual([name, 0, false])
  }
})

test('a video with external references is refused or prepared from its own data', async () => {
  const { end } = await testbed.worker()
  for (const [name, file] of files()) {
    const { video } = await testbed.add(file, 'video/quicktime')
    const work = await testbed.settled(video)
    expect([name, work.state, work.code]).toEqual([name, ...(name.startsWith('a movie') ? ['ready', null] : ['refused', 'damaged'])])
    expect([name, visits, isRead()]).toEqual([name, 0, false])
  }
  await end()
})
