import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from '@playwright/test'
import { findHeadlessChromium } from '../../scripts/find-browsers.mjs'
import { bundleScript } from '../support/run-player-in-browser-engine.ts'
import { ensureCustomTestClip, frameTableOf, renderRenditionOfTestClip } from '../support/test-clips.ts'
import type { VoiceReplayReport } from '../support/voice-sync-measurement-page-script.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

const SECONDS = Number(process.env.VOICE_SECONDS ?? 60)
const SEEK_COUNT = 20
const CLIP = {
  frames: 600,
  rate: '60',
  width: 640,
  height: 360,
  encode: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '30', '-pix_fmt', 'yuv420p'],
}

/**
 * V5: records a minute of speech with 20 actions; measures how late each action occurs in the replay, and checks what random seeks show.
 */
export default async function measureVoiceSync(): Promise<BenchmarkFigure[]> {
  const rendition = await renderRenditionOfTestClip(await ensureCustomTestClip('spoken.mp4', CLIP))
  const [script, table, { size }] = await Promise.all([
    bundleScript('voice-sync-measurement-page-script.ts'),
    frameTableOf(rendition),
    stat(rendition),
  ])
  const server = createServer((request, reply) => {
    const type = { '/script.js': 'text/javascript', '/table': 'application/json', '/rendition': 'video/mp4' }[request.url!] ?? 'text/html'
    reply.setHeader('content-type', type)
    if (request.url === '/rendition') createReadStream(rendition).pipe(reply)
    else if (request.url === '/script.js') reply.end(script)
    else if (request.url === '/table') reply.end(JSON.stringify(table))
    else reply.end('<!doctype html><title>Voice</title><body><script type="module" src="/script.js"></script>')
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const browser = await chromium.launch({
    executablePath: findHeadlessChromium(),
    args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--autoplay-policy=no-user-gesture-required'],
  })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForFunction(() => 'run' in globalThis)
    const ready = { state: 'ready', url: '/rendition', table: '/table', bytes: size, progress: 1, reason: null, unseen: false }
    const clip = { id: 'clip', url: '/rendition', rendition: { ...ready, width: 640, height: 360, filmstrip: null } }
    const options = { clip, seconds: SECONDS, seekCount: SEEK_COUNT }
    const report = await page.evaluate(of => (globalThis as unknown as { run(of: unknown): Promise<VoiceReplayReport> }).run(of), options)
    for (const { what, at, delayMs } of report.actions) console.log(`     ${what} at ${(at / 1000).toFixed(2)} s: ${delayMs ?? 'never'} ms`)
    for (const { at, seen, expected, right } of report.seeks)
      if (!right) console.log(`     sought to ${(at / 1000).toFixed(2)} s: ${seen}; it was ${expected}`)
    const delays = report.actions.map(d => Math.abs(d.delayMs ?? Number.POSITIVE_INFINITY)).sort((a, b) => a - b)
    const minute = 60 / report.seconds / 1000
    return [
      {
        id: 'V5',
        name: 'delay of an action in the replay, maximum of 20',
        value: delays.at(-1)!,
        unit: 'ms',
        bar: 50,
        better: 'less',
      },
      { id: 'V5', name: 'delay of an action in the replay, median', value: delays[Math.floor(delays.length / 2)]!, unit: 'ms' },
      {
        id: 'V5',
        name: `right stage after a seek, of ${SEEK_COUNT} seeks`,
        value: report.seeks.filter(j => j.right).length,
        unit: '',
        bar: SEEK_COUNT,
      },
      {
        id: 'V5',
        name: 'bytes per minute, sound and actions',
        value: (report.bytes.sound + report.bytes.track) * minute,
        unit: 'kB',
        bar: 200,
        better: 'less',
      },
      { id: 'V5', name: 'bytes per minute, actions alone', value: report.bytes.track * minute, unit: 'kB' },
    ]
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
}
