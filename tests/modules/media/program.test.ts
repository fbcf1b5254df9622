import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { look } from '../../../modules/media/child/look.ts'
import { program } from '../../../modules/media/child/program.ts'
import { samples } from '../../support/media.ts'

/** How FFmpeg's program is started, heard and ended, whatever it does: in its place a script. */

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'program-'))
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => rm(dir, { recursive: true }))

let count = 0
async function scripted(script: string) {
  const path = join(dir, `ffmpeg-${count++}`)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return program(path)
}
const said = async (script: string) => (await scripted(script)).voice('in', 'audio/webm', 'out').catch(error => error)

test('what it complains of last is why a file is damaged; where it says nothing, how it ended', async () => {
  const loud = await said(`printf 'the beginning %03000d' 0 >&2; sleep 0.1; echo 'and the end' >&2; exit 3`)
  expect([loud.code, loud.cause.length, loud.cause.slice(-14)]).toEqual(['damaged', 2000, '00and the end\n'])
  expect(await said(`exit 3`)).toMatchObject({ code: 'damaged', cause: 'FFmpeg ended with 3' })
})

test('a full disk is no fault of the file, nor is a program that is not there', async () => {
  expect(await said(`echo 'out: No space left on device' >&2; exit 1`)).toMatchObject({
    ...{ code: 'ENOSPC', message: 'out: No space left on device\n' },
  })
  const none = program(join(dir, 'nobody')).voice('in', 'audio/webm', 'out')
  await expect(none).rejects.toMatchObject({ code: 'ENOENT' })
})

test('ended by a signal, so are we, with what it complained of', async () => {
  const complained = vi.spyOn(console, 'error').mockImplementation(() => {})
  const ours = once(process, 'SIGTERM')
  let over = false
  void said(`echo 'out of luck' >&2; kill -TERM $$`).then(() => (over = true))
  await ours
  expect([over, complained.mock.calls]).toEqual([false, [['out of luck\n']]])
})

test('it ends with us; one that has ended by itself is forgotten', async () => {
  const before = process.rawListeners('exit')
  expect(await said(`exit 0`)).toBeUndefined()
  expect(process.rawListeners('exit')).toEqual(before)

  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  void said(`exec sleep 60`)
  await expect.poll(() => process.listenerCount('exit')).toBe(before.length + 1)
  process.rawListeners('exit').at(-1)!()
  await expect.poll(() => kill.mock.calls).toEqual([[process.pid, 'SIGKILL']])
})

test('how far it is, it says line by line, and never more than all', async () => {
  const looked = await look(samples.mp4, 'video/mp4')
  const parts: number[] = []
  const { render } = await scripted(`echo 'fps=25'; echo frame=15; echo 'dup_frame=3'; echo 'frame=x'; echo frame=63`)
  await render(samples.mp4, join(dir, 'out.mp4'), looked, part => parts.push(part))
  expect(parts).toEqual([0.25, 1])
})

test.each([
  'Decoder (codec none) not found for input stream #0:1',
  '[aist#0:1/none @ 0x5] Decoding requested, but no decoder found for: none',
])('sound that it cannot decode is left out, a picture is not: %s', async words => {
  const looked = await look(samples.mp4, 'video/mp4')
  const made = async (script: string, audio: number | null = 0) => {
    const { render } = await scripted(script)
    const its = { ...looked, starts: { ...looked.starts, audio } }
    return render('original', join(dir, 'made'), its, () => {}).catch(error => error.code)
  }
  const sounding = `case "$*" in *1:a:0*) echo '${words}' >&2; exit 1;; esac`
  expect([await made(sounding), await made(sounding, null)]).toEqual([undefined, undefined])
  expect(await made(`echo '${words}' >&2; exit 1`)).toBe('damaged')
  expect(await made(sounding.replace(words, 'broken'))).toBe('damaged')
})

test('it reads nothing of ours and opens files alone, as what they were seen to be', async () => {
  const looked = await look(samples.mp4, 'video/mp4')
  const told = async (of: 'mp4' | 'webm', sounding: boolean) => {
    const { render } = await scripted(`cat >${join(dir, 'heard')}; echo "$*" >&2; exit 1`)
    const its = { ...looked, media: { ...looked.media, container: of }, starts: { ...looked.starts, audio: sounding ? 0 : null } }
    const error = await render('original', 'made.mp4', its, () => {}).catch(error => error)
    return error.cause as string
  }
  const [silent, sounding] = [await told('mp4', false), await told('webm', true)]
  for (const args of [silent, sounding]) expect(args).toMatch(/^-nostdin -hide_banner -loglevel error -y -copyts /)
  expect(silent).toContain(' -protocol_whitelist file -f mov -advanced_editlist 0 -i original -map 0:v:0 ')
  expect(silent).toContain(' -max_pixels 81920 ')
  expect(sounding).toContain(
    ' -protocol_whitelist file -f matroska -i original -protocol_whitelist file -f matroska -i original -map 0:v:0 ',
  )
  expect([silent.includes(':a:0'), sounding.includes('-map 1:a:0? -af ')]).toEqual([false, true])
  const voice = await said(`echo "$*" >&2; exit 1`)
  expect(voice.cause).toContain(' -protocol_whitelist file -f matroska -i in -map 0:a:0 -t 305 ')
  for (const args of [silent, sounding]) expect(args).toMatch(/ -map_metadata -1 -map_chapters -1 -movflags \+faststart /)
})
