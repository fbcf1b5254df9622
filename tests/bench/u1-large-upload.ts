import { MAX_VIDEO_BYTES } from '../../modules/folders/policy.ts'
import { startApp } from '../support/app-process.ts'
import { sampleVideos, writePaddedVideo } from '../support/sample-media.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import {
  createSimulatedUploader,
  residentMegabytes,
  startCountingProxy,
  startPeakMemorySampling,
} from './simulated-uploader-and-memory-sampling.ts'

/** U1: uploads the largest allowed video, and measures how much of it passes through the app server. */
export default async function measureLargeUpload(): Promise<BenchmarkFigure[]> {
  const file = await writePaddedVideo(sampleVideos.mp4, MAX_VIDEO_BYTES)
  const server = await startApp()
  const door = await startCountingProxy(server.url)
  try {
    const player = await createSimulatedUploader(door.url)
    const idle = await residentMegabytes(server.pid)
    const before = door.bytes()
    const started = performance.now()
    const peak = startPeakMemorySampling(server.pid)
    await player.upload(file)
    const seconds = (performance.now() - started) / 1000
    const grew = (await peak()) - idle
    return [
      {
        id: 'U1',
        name: 'through the app server during an upload of 500 MB: requests and signatures',
        value: (door.bytes() - before) / 1024,
        unit: 'KB',
        bar: 256,
        better: 'less',
      },
      { id: 'U1', name: 'memory growth of the app server during the upload', value: grew, unit: 'MB', bar: 60, better: 'less' },
      { id: 'U1', name: 'speed into the embedded object store', value: MAX_VIDEO_BYTES / 2 ** 20 / seconds, unit: 'MB/s' },
    ]
  } finally {
    door.stop()
    await server.stop()
  }
}
