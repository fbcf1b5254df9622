import type { AnyEvent } from '../kernel/decider.ts'

/**
 * A path to texts in an event's data, such as `review.notes.*.text`: steps are separated by dots, and `*` stands for each item of a list.
 * `Depth` ends the recursion.
 */
export type PersonalTextPath<T, Depth extends unknown[] = []> = 0 extends 1 & T
  ? string
  : Depth['length'] extends 10
    ? never
    : T extends readonly (infer Item)[]
      ? `*.${PersonalTextPath<Item, [...Depth, 0]>}`
      : T extends object
        ? {
            [K in keyof T & string]-?: NonNullable<T[K]> extends string ? K : `${K}.${PersonalTextPath<NonNullable<T[K]>, [...Depth, 0]>}`
          }[keyof T & string]
        : never

/**
 * Which fields of a stream's events hold texts that people typed, and with whose key they are encrypted. Each stream has one person, so
 * that either all of its texts can be read or none (`docs/decisions/key-per-person.md`).
 */
export interface PersonalTextFields<E extends AnyEvent = AnyEvent> {
  /** The noun with which the streams' names begin. */
  stream: string
  /**
   * Whose key encrypts the texts. `'id'`: the id in the stream's name, which is a person's id, or the stream's own if each stream has a key
   * of its own. A function returns the person whom the stream's first event names.
   */
  person: 'id' | ((first: E) => string)
  /** The paths of the texts in each type of event; `[]` if it has none. Every type must be listed, so that nobody forgets a new one. */
  fields: { [T in E['type']]: readonly PersonalTextPath<Extract<E, { type: T }>['data']>[] }
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tables of different events
export type AnyPersonalTextFields = PersonalTextFields<any>

type Container = Record<string, unknown>
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

/** Calls `visit` for each non-empty text that a path leads to, with that text's own path (`review.notes.0.text`). */
function visitTexts(node: unknown, steps: readonly string[], at: readonly string[], visit: (path: string, text: string) => void) {
  const [step, ...rest] = steps
  if (step === undefined) {
    if (typeof node === 'string' && node !== '') visit(at.join('.'), node)
  } else if (isContainer(node)) {
    for (const key of step === '*' ? Object.keys(node) : [step]) visitTexts(node[key], rest, [...at, key], visit)
  }
}

/** The texts in an event's data by their paths, without empty ones. */
export function personalTextsByPath(data: unknown, paths: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const path of paths) visitTexts(data, path.split('.'), [], (at, text) => (texts[at] = text))
  return texts
}

/** Replaces the value at each path, which must not contain `*`, with `textAt(index of the path)`. Skips paths that do not exist. */
export function setPersonalTextsInPlace(data: unknown, paths: readonly string[], textAt: (index: number) => string | null): void {
  for (const [index, path] of paths.entries()) {
    const steps = path.split('.')
    const last = steps.pop()!
    const parent = steps.reduce<unknown>((node, step) => (isContainer(node) ? node[step] : undefined), data)
    if (isContainer(parent) && Object.hasOwn(parent, last)) parent[last] = textAt(index)
  }
}
