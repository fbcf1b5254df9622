/** A decoded form: text, possibly nested. */
export type DecodedForm = { [name: string]: string | DecodedForm | (string | DecodedForm)[] }

/** Decodes `a[b][0]=c` to `{ a: { b: ['c'] } }`. If names collide (`a=1&a[b]=2`), the later one wins. */
export function decodeForm(encoded: string): DecodedForm {
  const root: DecodedForm = Object.create(null)
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = [name.split('[', 1)[0]!, ...[...name.matchAll(/\[([^\]]*)\]/g)].map(m => m[1]!)].slice(0, 8)
    let at = root
    for (const [i, part] of path.entries()) {
      const step = part === '' ? String(Object.keys(at).length) : part
      if (i === path.length - 1) at[step] = value
      else {
        if (typeof at[step] !== 'object') at[step] = Object.create(null) as DecodedForm
        at = at[step] as DecodedForm
      }
    }
  }
  return restoreArrays(root) as DecodedForm
}

/** Turns objects whose keys are 0, 1, 2, …, in this order, back into arrays. */
function restoreArrays(value: DecodedForm[string]): DecodedForm[string] {
  if (typeof value === 'string') return value
  const names = Object.keys(value)
  const inner = Object.fromEntries(names.map(n => [n, restoreArrays((value as DecodedForm)[n]!)]))
  return names.length > 0 && names.every((n, i) => n === String(i)) ? (Object.values(inner) as (string | DecodedForm)[]) : inner
}
