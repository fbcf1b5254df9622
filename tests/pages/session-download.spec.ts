import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { v7 } from 'uuid'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { readBurnedInFrameNumber } from '../support/read-burned-in-frame-number.ts'
import { sampleVideos, sampleVoice as sound } from '../support/sample-media.ts'
import { ensureTestClip, ffmpegPath } from '../support/test-clips.ts'
import { addVideo, callApi, createAssignedFolder, createReviewedFolder, signUpAsInstructor, signUpAsPlayer } from './api-setup.ts'
import { fetchSessionOf, waitForPreparedVideos } from './studio-setup.ts'

/** Presses the button and reads the downloaded zip. */
async function downloadSession(page: Page) {
  // The button shows no size: the zip's size is unknown before the download, which creates the pictures and the PDF.
  const button = page.getByRole('button', { name: 'Download everything', exact: true })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return { name: download.suggestedFilename(), files: unzipSync(await readFile(await download.path())) }
}

/** The JPEG pictures in a PDF, which are embedded unchanged. */
const jpegsIn = (pdf: Buffer) =>
  pdf
    .toString('latin1')
    .split('endstream')
    .flatMap(part => /stream\r?\n(\xff\xd8.*)/s.exec(part)?.[1] ?? [])
    .map(bytes => Buffer.from(bytes, 'latin1'))

test('player and instructor download a session as one zip (needs ffmpeg)', { tag: '@sweep' }, async ({
  page,
  person,
  shoot,
  accessible,
}) => {
  test.skip(!ffmpegPath, 'ffmpeg is not installed, so the clip cannot be made')
  const [swing, hevc] = [await readFile(await ensureTestClip('no-b.mp4')), await readFile(await ensureTestClip('hevc.mov'))]
  const instructor = await person()
  const ray = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page, 'Mia', 'Łuczyńska')
  const { folder, video } = await createAssignedFolder(page, ray, 'Back foot: load/stride', swing)
  await callApi(page, 'POST', `/api/folders/${folder}/withdraw`)
  const second = await addVideo(page, folder, hevc, { name: 'swing.mp4', type: 'video/quicktime' })
  await callApi(page, 'POST', `/api/folders/${folder}/assign`, { assignment: v7(), instructor: ray.id })
  await callApi(instructor, 'POST', `/api/folders/${folder}/review`)
  const arrow = { id: v7(), tool: 'arrow', color: 0, width: 60, p: [1000, 9000, 3000, -500], from: 41, hold: 2, fade: 0 }
  // The comparison uses a clip from another folder, with one drawing.
  const earlier = await createAssignedFolder(page, ray, 'Last month', swing)
  const line = { id: v7(), tool: 'line', color: 1, width: 200, p: [1000, 9000, 3000, -500], from: 20, hold: 2, fade: 0 }
  const side = (of: string, more: object = {}) => ({ folder, video: of, origin: 0, offset: 0, scale: 1, ...more })
  const said = await readFile(sound)
  const voice = {
    id: v7(),
    video: second,
    frame: 0,
    milliseconds: 3300,
    bytes: said.length,
    type: 'audio/webm',
    actions: [[200, 'play', 0]],
  }
  const signing = await callApi(instructor, 'POST', `/api/folders/${folder}/voices`, { id: voice.id, type: voice.type, bytes: voice.bytes })
  const { url } = await signing.json()
  expect((await page.request.put(url, { data: said, headers: { 'content-type': voice.type } })).ok()).toBe(true)
  await callApi(instructor, 'POST', `/api/folders/${folder}/feedback`, {
    voices: [voice],
    comparisons: [
      {
        id: v7(),
        title: 'Load',
        mode: 'side',
        stretch: false,
        sides: [side(second), side(earlier.video, { folder: earlier.folder, shapes: [line] })],
      },
    ],
    notes: [
      {
        id: v7(),
        video,
        at: 1367,
        frame: 41,
        kind: 'technique',
        text: 'Hands drift – “here”.\nŁuk 🙂 手を後ろに اليدان إلى الخلف',
        shapes: [arrow],
      },
      { id: v7(), video: second, at: 0, frame: 0, kind: 'praise', text: 'Balanced.', voice: voice.id },
    ],
    checkpoints: [
      { skill: 'hitting', name: 'contact', video, frame: 24, by: 'hand' },
      { skill: 'hitting', name: 'load', video, frame: 12, by: 'hand' },
      { skill: 'fielding', name: 'ready', video: second, frame: 3, by: 'hand' },
    ],
    summary: 'Keep the hands back until the foot is down. '.repeat(20),
    grades: [
      { skill: 'hitting', grade: 55 },
      { skill: 'fielding', grade: 40 },
    ],
  })
  await expect.poll(async () => (await fetchSessionOf(page, folder)).status).toBe('feedback-given')
  await waitForPreparedVideos(page, folder, { clips: 3 })
  await expect.poll(async () => (await fetchSessionOf(page, folder)).voices[0].url).not.toBeNull()

  await page.goto(`/player/folder/${folder}`)
  const { name, files } = await downloadSession(page)
  expect(name).toBe('Back foot_ load_stride.zip')
  expect(Object.keys(files).sort()).toEqual([
    'Drawings/Comparison 1, second clip, frame 21.png',
    'Drawings/Note 1, frame 42.png',
    'Drawings/drawings.json',
    'Feedback.pdf',
    'Read me.txt',
    'Videos/swing (2).mp4',
    'Videos/swing (2).vtt',
    'Videos/swing.mp4',
    'Videos/swing.vtt',
    'Voice-overs/1, about note 2.json',
    'Voice-overs/1, about note 2.m4a',
  ])
  expect(Buffer.from(files['Videos/swing.mp4']!).equals(swing)).toBe(true)
  expect(Buffer.from(files['Videos/swing (2).mp4']!).equals(hevc)).toBe(true)
  expect(Buffer.from(files['Videos/swing.vtt']!).toString()).toContain('00:00:01.367 --> 00:00:05.367\nTechnique: Hands drift')
  expect(JSON.parse(Buffer.from(files['Drawings/drawings.json']!).toString())).toMatchObject({
    notes: [{ video: 'swing.mp4', shapes: [arrow] }],
    comparisons: [{ title: 'Load', video: 'swing.mp4', shapes: [line] }],
  })
  const meanwhile = JSON.parse(Buffer.from(files['Voice-overs/1, about note 2.json']!).toString())
  expect(meanwhile).toMatchObject({ video: 'swing (2).mp4', actions: [[200, 'play', 0]] })
  expect(Buffer.from(files['Feedback.pdf']!).subarray(0, 5).toString()).toBe('%PDF-')
  // Each picture shows its frame (by the burned-in number) and the drawing on it, in clay or gold.
  const look = (picture: Buffer, type: 'png' | 'jpeg') =>
    page.evaluate(
      async ([src, read]) => {
        // Create the function before the first `await`, because the page's content security policy allows evaluated code only until then.
        const numberIn = new Function(`return (${read})`)() as typeof readBurnedInFrameNumber
        const image = new Image()
        image.src = src!
        await image.decode()
        const [width, height] = [image.naturalWidth, image.naturalHeight]
        const canvas = new OffscreenCanvas(width, height)
        const ctx = canvas.getContext('2d')!
        ctx.drawImage(image, 0, 0)
        const number = numberIn(image, width, height)
        return { number, at: [...ctx.getImageData(width * 0.25, height * 0.875, 1, 1).data].slice(0, 3) }
      },
      [`data:image/${type};base64,${picture.toString('base64')}`, readBurnedInFrameNumber.toString()],
    )
  const drawing = (name: string) => look(Buffer.from(files[`Drawings/${name}.png`]!), 'png')
  const note = await drawing('Note 1, frame 42')
  expect([note.number, note.at[0]! > 200, note.at[2]! < 90]).toEqual([41, true, true])
  const gold = ({ at }: { at: number[] }) => at[0]! > 180 && at[1]! > 150 && at[2]! < 110
  const compared = await drawing('Comparison 1, second clip, frame 21')
  expect([compared.number, gold(compared)]).toEqual([20, true])
  // The PDF shows the frames of both notes and of the three technique positions, and both clips of the comparison at its drawing. One clip
  // has 60 frames per second and the other 30, so frame 40 is next to frame 20.
  const printed = await Promise.all(jpegsIn(Buffer.from(files['Feedback.pdf']!)).map(picture => look(picture, 'jpeg')))
  expect(printed.map(p => p.number).sort((a, b) => a - b)).toEqual([0, 3, 12, 20, 24, 40, 41])
  expect(printed.filter(gold).map(p => p.number)).toEqual([20])
  // Characters that the font Archivo lacks appear as pictures with a transparent background.
  expect(Buffer.from(files['Feedback.pdf']!).toString('latin1')).toContain('/SMask')
  if (process.env.SCREENS) await writeFile('test-results/feedback.pdf', files['Feedback.pdf']!)
  await expect(page.getByText('Saved to your downloads.')).toBeVisible()
  await shoot('player-folder-downloaded')
  await accessible()

  await instructor.goto(`/instructor/folder/${folder}`)
  await expect(instructor.getByText(/One zip file with the videos \(/)).toBeVisible()
  const theirs = (await downloadSession(instructor)).files
  expect(Object.keys(theirs).sort()).toEqual(Object.keys(files).sort())
  // The instructor gets the renditions: H.264 without location metadata, whatever the original was.
  for (const [name, original] of [
    ['Videos/swing.mp4', swing],
    ['Videos/swing (2).mp4', hevc],
  ] as const) {
    const copy = Buffer.from(theirs[name]!)
    expect([name, copy.equals(original), copy.includes('avc1')]).toEqual([name, false, true])
  }
})

test('a video that fails to load stops the download, and a retry succeeds', { tag: '@sweep' }, async ({ page, person, problems }) => {
  problems.expect(/ERR_FAILED/)
  const swing = await readFile(sampleVideos.mp4)
  const instructor = await person()
  const ray = await signUpAsInstructor(instructor)
  await signUpAsPlayer(page)
  const { folder } = await createReviewedFolder(page, instructor, ray, 'Cages', swing)
  await waitForPreparedVideos(page, folder)
  // While there is no rendition, the pictures come from the original.
  await page.route(/\/api\/folders\/[\w-]{36}(\?|$)/, async route => {
    const response = await route.fetch()
    const its = await response.json()
    for (const { rendition } of [...its.clips, ...its.session.clips]) rendition.state = 'preparing'
    await route.fulfill({ response, json: its })
  })
  await page.goto(`/player/folder/${folder}`)
  await expect(page.getByRole('button', { name: /^Download everything/ })).toBeVisible()
  await page.route(/\/videos\//, route => route.abort())
  await page.getByRole('button', { name: /^Download everything/ }).click()
  await expect(page.getByText('A video did not download. Check your connection and try again.')).toBeVisible()
  await page.unroute(/\/videos\//)
  expect(Object.keys((await downloadSession(page)).files)).toContain('Feedback.pdf')
})
