import type { BenchmarkFigure } from './benchmark-figure.ts'
import { runTestFile } from './run-test-file.ts'

const KILLS = Number(process.env.UPLOAD_KILLS ?? 10)

/** U2: uploads whose server is killed at random moments; each has to resume with equal bytes and leave nothing behind. */
export default async function measureKilledUploads(): Promise<BenchmarkFigure[]> {
  const { failed } = await runTestFile('tests/faults/killed-uploads.test.ts', { UPLOAD_KILLS: `${KILLS}` })
  return [
    { id: 'U2', name: 'tests of killed uploads that failed', value: failed, unit: '', bar: 0, better: 'less' },
    { id: 'U2', name: 'kills at random moments', value: KILLS, unit: '' },
  ]
}
