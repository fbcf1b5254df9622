import { startApp } from '../support/app-process.ts'
import { sampleVideos, writePaddedVideo } from '../support/sample-media.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { createSimulatedUploader, residentMegabytes, startPeakMemorySampling } from './simulated-uploader-and-memory-sampling.ts'

const PLAYERS = 20
const FILE_MEGABYTES = 30

/** Measures the server's resident memory while twenty players upload and watch at the same time. */
export default async function measureServerMemory(): Promise<BenchmarkFigure[]> {
  const file = await writePaddedVideo(sampleVideos.mp4, FILE_MEGABYTES * 2 ** 20)
  const server = await startApp({ env: { RATE_LIMIT_SCALE: '100' } })
  try {
    const players: Awaited<ReturnType<typeof createSimulatedUploader>>[] = []
    // The players register one after the other, because the server limits concurrent password hashing, which is not measured here.
    while (players.length < PLAYERS) players.push(await createSimulatedUploader(server.url))
    const idle = await residentMegabytes(server.pid)
    const peak = startPeakMemorySampling(server.pid)
    let watched = 0
    await Promise.all(
      players.map(async player => {
        const first = await player.upload(file)
        // Each player uploads one clip and watches another at the same time.
        const [, seen] = await Promise.all([player.upload(file), player.watch(first, FILE_MEGABYTES)])
        watched += seen
      }),
    )
    if (watched !== PLAYERS * FILE_MEGABYTES * 2 ** 20) throw new Error(`watched ${watched} bytes`)
    return [
      {
        id: 'U1',
        name: `peak server memory while ${PLAYERS} players upload and watch`,
        value: await peak(),
        unit: 'MB',
        bar: 250,
        better: 'less',
      },
      { id: 'U1', name: 'server memory before', value: idle, unit: 'MB' },
    ]
  } finally {
    await server.stop()
  }
}
