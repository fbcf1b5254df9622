import type { BenchmarkFigure } from './benchmark-figure.ts'
import { runTestFile } from './run-test-file.ts'

const EVENTS = Number(process.env.OLD_EVENTS ?? 5000)

/**
 * X5: performs a rolling upgrade under load, then a rollback and a second upgrade, on a log of `EVENTS` events. No request may fail, and no
 * screen may show less than before.
 */
export default async function measureRollingUpgrade(): Promise<BenchmarkFigure[]> {
  const { failed } = await runTestFile('tests/faults/rolling-upgrade.test.ts', { OLD_EVENTS: `${EVENTS}` })
  return [
    { id: 'X5', name: 'rolling upgrades with a failed request or an emptier screen', value: failed, unit: '', bar: 0, better: 'less' },
    { id: 'X5', name: 'events in the log before the upgrade', value: EVENTS, unit: '' },
  ]
}
