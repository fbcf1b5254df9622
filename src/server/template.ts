/** Text of a slot, by name; a list where the template says `each`, one set of slots an item. */
export type Slots = Record<string, string>

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

/**
 * Fills a built page: `<!--slot:name-->` and, in attributes, `[slot:name]` become escaped text; `<!--if:name-->…<!--end:name-->` stays
 * where the slot has text; `<!--each:name-->…<!--end:name-->` comes once an item. What is filled in is not looked at again.
 * @param raw slots that are HTML already
 */
export function fill(template: string, slots: Slots, lists: Record<string, Slots[]> = {}, raw: Slots = {}): string {
  return template.replaceAll(
    /<!--(if|each):(\w+)-->([\s\S]*?)<!--end:\2-->|<!--slot:(\w+)-->|\[slot:(\w+)\]/g,
    (_, kind: string | undefined, name: string, inner: string, text: string | undefined, attribute: string | undefined) => {
      if (kind === 'if') return slots[name] ? fill(inner, slots, lists, raw) : ''
      if (kind === 'each') return (lists[name] ?? []).map(item => fill(inner, { ...slots, ...item }, lists, raw)).join('')
      const slot = text ?? attribute!
      return raw[slot] ?? escaped(slots[slot] ?? '')
    },
  )
}
