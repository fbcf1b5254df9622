import type { Draft } from '../../modules/folders/contract.ts'
import { byAge } from '../drawing/shapes.ts'

type Note = Draft['notes'][number]
type Comparison = NonNullable<Draft['comparisons']>[number]

export const nothing: Draft = { notes: [], summary: '', grades: [] }

/** A thing in one spelling, whatever order its fields have: what comes from the server has another. Things are never changed, so it is kept. */
const spellings = new WeakMap<object, string>()
function spelled(it: unknown): string {
  if (it === null || typeof it !== 'object') return JSON.stringify(it) ?? ''
  const known = spellings.get(it)
  if (known !== undefined) return known
  const inner = Array.isArray(it)
    ? it.map(spelled)
    : Object.entries(it)
        .filter(([, value]) => value !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${name}:${spelled(value)}`)
  const spelling = `${Array.isArray(it) ? '[' : '{'}${inner.join()}`
  spellings.set(it, spelling)
  return spelling
}
/** The same content. */
const same = (a: unknown, b: unknown): boolean => a === b || spelled(a) === spelled(b)
const pick = <T>(base: T, mine: T, theirs: T) => (same(mine, base) ? theirs : mine)

/** Two texts that both came from `base`: whoever changed wins; where both did, nothing of either is lost. */
function text(base: string, mine: string, theirs: string): string {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  if (mine.includes(theirs)) return mine
  if (theirs.includes(mine)) return theirs
  return `${mine}\n\n${theirs}`
}

/**
 * Two lists that both came from `base`, joined thing by thing. What one side removed goes, unless the other has changed it since.
 * `both`: what becomes of a thing that both have.
 */
function joined<T>(
  key: (it: T) => string,
  [base = [], mine = [], theirs = []]: readonly (readonly T[] | undefined)[],
  both: (base: T | undefined, mine: T, theirs: T) => T = pick as never,
): T[] {
  const of = (list: readonly T[]) => new Map(list.map(it => [key(it), it]))
  const [before, here, there] = [of(base), of(mine), of(theirs)]
  return [...new Set([...here.keys(), ...there.keys()])].flatMap(k => {
    const [was, is, other] = [before.get(k), here.get(k), there.get(k)]
    if (is && other) return [both(was, is, other)]
    const left = (is ?? other)!
    return was === undefined || !same(was, left) ? [left] : []
  })
}

const id = (it: { id: string }) => it.id
/** Nothing of a kind is no list at all, as in reviews that never had one. */
const some = <K extends string, T>(name: K, list: T[]) => (list.length ? ({ [name]: list } as { [k in K]: T[] }) : {})

/** The same things in the order of whoever has changed it; where both have, in mine, and what only the other has comes last. */
function inOrder<T extends { id: string }>(list: T[], [base = [], mine = [], theirs = []]: readonly (readonly T[] | undefined)[]): T[] {
  const unchanged = same(mine.map(id), base.map(id))
  const order = (unchanged ? [...theirs, ...mine] : [...mine, ...theirs]).map(id)
  return list.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

/** Video, frame and range of a note belong together: they come from whoever moved it. */
const moment = ({ video, at, frame, until }: Partial<Note>) => ({
  ...{ video, at },
  ...(frame !== undefined && { frame }),
  ...(until !== undefined && { until }),
})
const voice = (n: Partial<Note> | undefined) => (n?.voice === undefined ? {} : { voice: n.voice })
const link = (n: Partial<Note> | undefined) => (n?.link === undefined ? {} : { link: n.link })

const note = (base: Note | undefined, mine: Note, theirs: Note): Note =>
  ({
    id: mine.id,
    ...pick(moment(base ?? {}), moment(mine), moment(theirs)),
    kind: pick(base?.kind, mine.kind, theirs.kind)!,
    text: text(base?.text ?? '', mine.text, theirs.text),
    ...some('shapes', joined(id, [base?.shapes, mine.shapes, theirs.shapes]).sort(byAge)),
    ...pick(voice(base), voice(mine), voice(theirs)),
    ...pick(link(base), link(mine), link(theirs)),
  }) as Note

/** Of two that changed different things of one comparison, both are kept. */
const comparison = (base: Comparison | undefined, mine: Comparison, theirs: Comparison): Comparison => ({
  id: mine.id,
  title: pick(base?.title, mine.title, theirs.title)!,
  mode: pick(base?.mode, mine.mode, theirs.mode)!,
  stretch: pick(base?.stretch, mine.stretch, theirs.stretch)!,
  sides: mine.sides.map((side, i) => {
    const [was, other] = [base?.sides[i], theirs.sides[i]!]
    const { shapes: _, ...rest } = pick(was && bare(was), bare(side), bare(other))!
    return { ...rest, ...some('shapes', joined(id, [was?.shapes, side.shapes, other.shapes]).sort(byAge)) }
  }) as Comparison['sides'],
})
const bare = ({ shapes: _, ...side }: Comparison['sides'][number]): Comparison['sides'][number] => side

/** Joins what two tabs made of the same draft. Text that somebody typed is never dropped. */
export function merge(base: Draft, mine: Draft, theirs: Draft): Draft {
  const all = <K extends keyof Draft>(name: K) => [base[name], mine[name], theirs[name]] as const
  return {
    notes: joined(id, all('notes'), note),
    summary: text(base.summary, mine.summary, theirs.summary),
    grades: joined(g => g.skill, all('grades')),
    ...some('voices', joined(id, all('voices'))),
    ...some(
      'checkpoints',
      joined(c => `${c.video} ${c.skill} ${c.name}`, all('checkpoints')),
    ),
    ...some('comparisons', joined(id, all('comparisons'), comparison)),
    ...some('goals', inOrder(joined(id, all('goals')), all('goals'))),
  }
}

const LISTS = ['notes', 'grades', 'voices', 'checkpoints', 'comparisons'] as const

/** The same content, in whatever order it comes, but for goals, of which the first is the first; a list with nothing in it is none. */
export const equal = (a: Draft, b: Draft) =>
  a === b || (a.summary === b.summary && same(a.goals ?? [], b.goals ?? []) && LISTS.every(name => alike(a[name] ?? [], b[name] ?? [])))

/** What stands at the same place in both is left out first: after a key it is all but one. */
function alike(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  const spellings = (of: readonly unknown[], other: readonly unknown[]) =>
    of.flatMap((it, i) => (it === other[i] ? [] : spelled(it))).sort()
  const theirs = spellings(b, a)
  return spellings(a, b).every((spelling, i) => spelling === theirs[i])
}
