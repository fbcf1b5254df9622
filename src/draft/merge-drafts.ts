import type { Draft } from '../../modules/folders/contract.ts'
import { compareByCreation } from '../drawing/shape-geometry.ts'

type Note = Draft['notes'][number]
type Voice = NonNullable<Draft['voices']>[number]
type Comparison = NonNullable<Draft['comparisons']>[number]

export const emptyDraft: Draft = { notes: [], summary: '', grades: [] }

/** Canonical texts of objects that were already compared. Drafts are immutable, so a text stays valid as long as its object exists. */
const canonicalTexts = new WeakMap<object, string>()
function canonicalText(item: unknown): string {
  if (item === null || typeof item !== 'object') return JSON.stringify(item) ?? ''
  const known = canonicalTexts.get(item)
  if (known !== undefined) return known
  const inner = Array.isArray(item)
    ? item.map(canonicalText)
    : Object.entries(item)
        .filter(([, value]) => value !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${name}:${canonicalText(value)}`)
  const text = Array.isArray(item) ? `[${inner.join()}]` : `{${inner.join()}}`
  canonicalTexts.set(item, text)
  return text
}
/** Compares by content, because the server may return the fields of an object in a different order. */
const isSameContent = (a: unknown, b: unknown): boolean => a === b || canonicalText(a) === canonicalText(b)
const pickChanged = <T>(base: T, mine: T, theirs: T) => (isSameContent(mine, base) ? theirs : mine)

/**
 * Three-way merge of a text field: the side that changed it wins. If both did, both texts are kept, one below the other, or only the longer
 * one if it contains the other.
 */
function mergeTexts(base: string, mine: string, theirs: string): string {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  if (mine.includes(theirs)) return mine
  if (theirs.includes(mine)) return theirs
  return `${mine}\n\n${theirs}`
}

/**
 * Three-way merge of lists by key. An item that one side removed is removed, unless the other side has changed it.
 * `both` merges an item that is in both lists.
 */
function mergeLists<T>(
  key: (item: T) => string,
  [base = [], mine = [], theirs = []]: readonly (readonly T[] | undefined)[],
  both: (base: T | undefined, mine: T, theirs: T) => T = pickChanged as never,
): T[] {
  const of = (list: readonly T[]) => new Map(list.map(item => [key(item), item]))
  const [baseItems, myItems, theirItems] = [of(base), of(mine), of(theirs)]
  return [...new Set([...myItems.keys(), ...theirItems.keys()])].flatMap(k => {
    const [baseItem, myItem, theirItem] = [baseItems.get(k), myItems.get(k), theirItems.get(k)]
    if (myItem && theirItem) return [both(baseItem, myItem, theirItem)]
    const remainingItem = (myItem ?? theirItem)!
    return baseItem === undefined || !isSameContent(baseItem, remainingItem) ? [remainingItem] : []
  })
}

const id = (item: { id: string }) => item.id
/** An empty optional list is omitted, so that the draft equals one that never had the list. */
const listUnlessEmpty = <K extends string, T>(name: K, list: T[]) => (list.length ? ({ [name]: list } as { [k in K]: T[] }) : {})

/**
 * Orders a merged list like `theirs` if `mine` has the same items in the same order as `base`. Otherwise it orders the list like `mine`,
 * and items that only `theirs` has come last.
 */
function inChangedOrder<T extends { id: string }>(
  list: T[],
  [base = [], mine = [], theirs = []]: readonly (readonly T[] | undefined)[],
): T[] {
  const unchanged = isSameContent(mine.map(id), base.map(id))
  const order = (unchanged ? [...theirs, ...mine] : [...mine, ...theirs]).map(id)
  return list.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

/** Merges each field as one value, which also covers fields that are added to the type later. A field without a value is absent. */
function mergeFields<T extends object>(base: T | undefined, mine: T, theirs: T): T {
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])] as (keyof T)[]
  const merged = names.map(name => [name, pickChanged(base?.[name], mine[name], theirs[name])] as const)
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as T
}

/** The video, frame and range of a note are merged as one value, taken from the side that moved the note. */
const moment = ({ video, at, frame, until }: Partial<Note>) => ({
  video,
  at,
  ...(frame !== undefined && { frame }),
  ...(until !== undefined && { until }),
})
const withoutMoment = ({ video: _, at: __, frame: ___, until: ____, ...rest }: Note) => rest

const mergeNotes = (base: Note | undefined, mine: Note, theirs: Note): Note => {
  const { shapes: _, ...fields } = mergeFields(base && withoutMoment(base), withoutMoment(mine), withoutMoment(theirs))
  return {
    ...fields,
    ...pickChanged(moment(base ?? {}), moment(mine), moment(theirs)),
    text: mergeTexts(base?.text ?? '', mine.text, theirs.text),
    ...listUnlessEmpty('shapes', mergeLists(id, [base?.shapes, mine.shapes, theirs.shapes]).sort(compareByCreation)),
  } as Note
}

/** If two tabs changed different fields of one comparison, both changes are kept. */
const mergeComparisons = (base: Comparison | undefined, mine: Comparison, theirs: Comparison): Comparison => ({
  ...mergeFields(base, mine, theirs),
  sides: mine.sides.map((side, i) => {
    const [baseSide, theirSide] = [base?.sides[i], theirs.sides[i]!]
    const { shapes: _, ...rest } = pickChanged(baseSide && withoutShapes(baseSide), withoutShapes(side), withoutShapes(theirSide))!
    return {
      ...rest,
      ...listUnlessEmpty('shapes', mergeLists(id, [baseSide?.shapes, side.shapes, theirSide.shapes]).sort(compareByCreation)),
    }
  }) as Comparison['sides'],
})
const withoutShapes = ({ shapes: _, ...side }: Comparison['sides'][number]): Comparison['sides'][number] => side

/**
 * Three-way merge of the voice-overs. A voice-over that one side deleted is kept if a merged note has it: the other side has changed that
 * note, or moved the voice-over to it.
 */
function mergeVoices(notes: readonly Note[], [base, mine = [], theirs = []]: readonly (readonly Voice[] | undefined)[]): Voice[] {
  const merged = mergeLists(id, [base, mine, theirs])
  const [mergedIds, idsOfNotes] = [new Set(merged.map(id)), new Set(notes.map(n => n.voice))]
  return [...merged, ...[...mine, ...theirs].filter(v => idsOfNotes.has(v.id) && !mergedIds.has(v.id))]
}

/**
 * Three-way merge of two versions of the draft `base`, from two tabs or devices. If both changed the summary or the text of a note, both
 * texts are kept; in all other fields, including the text of a goal, `mine` wins.
 */
export function mergeDrafts(base: Draft, mine: Draft, theirs: Draft): Draft {
  const all = <K extends keyof Draft>(name: K) => [base[name], mine[name], theirs[name]] as const
  const notes = mergeLists(id, all('notes'), mergeNotes)
  return {
    notes,
    summary: mergeTexts(base.summary, mine.summary, theirs.summary),
    grades: mergeLists(g => g.skill, all('grades')),
    ...listUnlessEmpty('voices', mergeVoices(notes, all('voices'))),
    ...listUnlessEmpty(
      'checkpoints',
      mergeLists(c => `${c.video} ${c.skill} ${c.name}`, all('checkpoints')),
    ),
    ...listUnlessEmpty('comparisons', mergeLists(id, all('comparisons'), mergeComparisons)),
    ...listUnlessEmpty('goals', inChangedOrder(mergeLists(id, all('goals')), all('goals'))),
  }
}

const LISTS = ['notes', 'grades', 'voices', 'checkpoints', 'comparisons'] as const

/** Compares two drafts by content. The order matters only for goals; an empty list equals an absent one. */
export const areDraftsEqual = (a: Draft, b: Draft) =>
  a === b ||
  (a.summary === b.summary &&
    isSameContent(a.goals ?? [], b.goals ?? []) &&
    LISTS.every(name => haveSameItems(a[name] ?? [], b[name] ?? [])))

/**
 * Whether two lists contain the same items in any order. Items that are the same object at the same index are not compared, so
 * the check is fast after a keystroke, which replaces only one object.
 */
function haveSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  const textsOf = (of: readonly unknown[], other: readonly unknown[]) =>
    of.flatMap((item, i) => (item === other[i] ? [] : canonicalText(item))).sort()
  const textsOfB = textsOf(b, a)
  return textsOf(a, b).every((text, i) => text === textsOfB[i])
}
