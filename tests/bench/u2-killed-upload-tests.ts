import type { BenchmarkFigure } from './benchmark-figure.ts'
import { runTestFile } from './run-test-file.ts'

const KILLS = Number(process.env.UPLOAD_KILLS ?? 10)

/** U2: kills the server at random moments during uploads; each upload has to resume, end with identical bytes and leave nothing behind. */
export default async function measureKilledUploadTests(): Promise<BenchmarkFigure[]> {
  const { failed } = await runTestFile('tests/faults/killed-uploads.test.ts', { UPLOAD_KILLS: `${KILLS}` })
  return [
    { id: 'U2', name: 'tests of killed uploads that failed', value: failed, unit: '', bar: 0, better: 'less' },
    { id: 'U2', name: 'kills at random moments', value: KILLS, unit: '' },
  ]
}
