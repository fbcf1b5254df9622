import type { BenchmarkFigure } from './benchmark-figure.ts'
import { runTestFile } from './run-test-file.ts'

/**
 * R2: restores a backup into an empty installation, with the server's functions and with `npm run restore`, while the original installation
 * keeps running. People, payments and videos have to be there, and payments made after the backup have to be found at Stripe.
 */
export default async function measureRestoreTests(): Promise<BenchmarkFigure[]> {
  const startedAt = performance.now()
  let [passed, failed] = [0, 0]
  for (const file of ['tests/faults/restore.test.ts', 'tests/faults/backup-commands.test.ts']) {
    const run = await runTestFile(file, {})
    passed += run.passed
    failed += run.failed
  }
  const seconds = (performance.now() - startedAt) / 1000
  return [
    { id: 'R2', name: 'tests of restoring a backup that failed', value: failed, unit: '', bar: 0, better: 'less' },
    { id: 'R2', name: 'tests of restoring a backup that passed', value: passed, unit: '', bar: 1 },
    { id: 'R2', name: 'duration, with the start of the stores', value: seconds, unit: 's' },
  ]
}
