import { type KillTarget, killDuringAppends } from '../faults/kill-during-appends.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

const KILLS = Number(process.env.KILLS ?? 24)
/** The minimum number of confirmed appends in total. If it is not set, there are 200 to 3,200 between two kills. */
const APPENDS = process.env.APPENDS && Number(process.env.APPENDS)
const victims: KillTarget[] = ['backend', 'postmaster', 'app']
const any = () => victims[Math.floor(Math.random() * victims.length)]!

/** E4: whether the log keeps every acknowledged event despite kills. The same test with a naive store must find faults. */
export default async function measureKilledWriters(): Promise<BenchmarkFigure[]> {
  const ours = await killDuringAppends({
    store: 'ours',
    victims: Array.from({ length: KILLS }, any),
    entries: () => (APPENDS ? Math.ceil(APPENDS / (KILLS + 1)) : 200 + Math.random() * 3000),
  })
  const naive = await killDuringAppends({ store: 'naive', victims: ['backend', 'app', 'postmaster'], entries: () => 2000 })
  const none = (name: keyof typeof ours): BenchmarkFigure => ({
    id: 'E4',
    name: `acknowledged events ${name}`,
    value: ours[name],
    unit: '',
    bar: 0,
    better: 'less',
  })
  return [
    none('lost'),
    none('doubled'),
    none('reordered'),
    { id: 'E4', name: 'acknowledged events', value: ours.acknowledged, unit: '' },
    { id: 'E4', name: 'kills of a connection, of Postgres and of the app', value: ours.kills, unit: '' },
    { id: 'E4', name: 'faults found in a naive store', value: naive.lost + naive.doubled + naive.reordered, unit: '', bar: 1 },
    { id: 'E4', name: 'acknowledged events of the naive store', value: naive.acknowledged, unit: '' },
  ]
}
