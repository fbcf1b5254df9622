import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { oldestBrowsers } from '../../src/supported-browsers.ts'

const root = join(import.meta.dirname, '../..')
const built = join(root, 'dist/client/_astro')
const chunks = readdirSync(built).filter(name => name.endsWith('.js'))
const read = (name: string) => readFileSync(join(built, name), 'utf8')

/**
 * Features that some of the oldest supported browsers lack. A script may use one only after testing for it. Files that match `but` are
 * exempt: they use the name for something else, or can do without the feature.
 */
const NEWER_FEATURES: { name: string; used: RegExp; but?: RegExp }[] = [
  ...['AbortSignal.any', 'Array.fromAsync', 'Promise.withResolvers', 'Promise.try', 'Map.groupBy', 'Object.groupBy'].map(staticMethod),
  ...['URL.canParse', 'URL.parse', 'ReadableStream.from', 'RegExp.escape', 'Error.isError', 'Iterator.from', 'Atomics.waitAsync'].map(
    staticMethod,
  ),
  ...['symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom', 'toHex', 'toBase64', 'isWellFormed'].map(instanceMethod),
  ...['union', 'intersection', 'transferToFixedLength', 'caretPositionFromPoint', 'setHTMLUnsafe'].map(instanceMethod),
  ...['Response.json', 'Uint8Array.fromBase64', 'scheduler.yield', 'scheduler.postTask', 'cookieStore.get', 'URLPattern.test'].map(
    staticMethod,
  ),
  ...['requestVideoFrameCallback', 'checkVisibility', 'requestIdleCallback', 'moveBefore', 'getHTML'].map(instanceMethod),
  ...['showPopover', 'hidePopover', 'togglePopover', 'createWritable', 'getCoalescedEvents', 'getPredictedEvents'].map(instanceMethod),
  ...['VideoDecoder', 'VideoEncoder', 'AudioDecoder', 'AudioEncoder', 'ImageDecoder', 'ClipboardItem', 'CloseWatcher'].map(constructed),
  ...['MediaStreamTrackProcessor', 'Intl.Segmenter', 'Intl.DurationFormat'].map(constructed),
  // React also works in browsers without `startViewTransition`.
  { ...instanceMethod('startViewTransition'), but: /^react\./ },
  { name: 'movementX', used: /\.movementX\b/, but: /^react\./ },
  // Iterator helpers. The pattern finds them only after these three methods, although others, such as `matchAll`, return iterators, too.
  {
    name: 'an iterator’s own',
    used: /\.(values|keys|entries)\(\)\.(map|filter|toArray|some|find|every|reduce|forEach|take|drop|flatMap)\(/,
  },
  // React uses these names for attributes only.
  { name: 'aria…', used: /\.aria[A-Z]\w*=(?!=)/, but: /^react\./ },
  { name: 'wakeLock', used: /navigator\.wakeLock\./ },
  { name: 'fontBoundingBox', used: /\.fontBoundingBox(Ascent|Descent)/ },
  { name: 'EyeDropper', used: /new EyeDropper/ },
  { name: 'scrollend', used: /addEventListener\([`'"]scrollend/ },
]

function staticMethod(name: string) {
  return { name: name.split('.')[1]!, used: new RegExp(`\\b${name.replace('.', '\\.')}\\(`) }
}
function instanceMethod(name: string) {
  return { name, used: new RegExp(`\\.${name}\\(`) }
}
function constructed(name: string) {
  return { name: name.split('.').at(-1)!, used: new RegExp(`new ${name.replace('.', '\\.')}\\b`) }
}

/** Matches tests for a feature: `typeof x.name`, `'name' in x`, `x.name?.(`, as in the source and as the bundler writes them. */
const featureTestPattern = (name: string) => new RegExp(`typeof [\\w.]*\\b${name}\\b|[\`'"]${name}[\`'"] ?in\\b|\\.${name}\\?\\.`)

/** The listed features that a script uses without testing for them. */
const unguardedFeatures = (part: string, text: string) =>
  NEWER_FEATURES.filter(({ name, used, but }) => used.test(text) && !but?.test(part) && !featureTestPattern(name).test(text)).map(
    ({ name }) => `${part}: ${name}`,
  )

test('page scripts check for a feature the oldest browsers lack before using it', () => {
  expect(chunks.length).toBeGreaterThan(20)
  expect(chunks.flatMap(name => unguardedFeatures(name, read(name)))).toEqual([])
})

test.each([
  ['let s=AbortSignal.any([a,b])', ['x: any']],
  ['for(const [d,e] of Map.groupBy(l,f))', ['x: groupBy']],
  ['place(e.movementX)', ['x: movementX']],
  ['v.requestVideoFrameCallback(f)', ['x: requestVideoFrameCallback']],
  ['`requestVideoFrameCallback`in p&&v.requestVideoFrameCallback(f)', []],
  ['typeof VideoDecoder<`u`&&new VideoDecoder(i)', []],
  ['e.getCoalescedEvents?.()', []],
  ['m.values().map(f)', ['x: an iterator’s own']],
  ['v.ariaHidden=`true`', ['x: aria…']],
  ['if(e.ariaHidden===`true`)r()', []],
  ['let o=new Set(a).union(b)', ['x: union']],
])('a newer feature is found in a script unless the script checks for it: %s', (text, found) =>
  expect(unguardedFeatures('x', text)).toEqual(found),
)

test('syntax and styles are compiled for the oldest supported browsers', () => {
  const scripts = chunks.map(read).join('\n')
  // `using` is newer than the oldest supported browsers. So is the flag `v` of regular expressions, but this test does not look for it.
  expect(scripts).not.toMatch(/\b(await )?using \w+ ?=/)
  const styles = readdirSync(built)
    .filter(name => name.endsWith('.css'))
    .map(read)
    .join('\n')
  expect(styles.length).toBeGreaterThan(10_000)
  for (const newer of [/subgrid/, /@scope/, /@starting-style/, /light-dark\(/, /[;{]&/, /anchor-name/, /rgb\(from (?!red r g b\))/])
    expect(styles).not.toMatch(newer)
})

test('labels styled by `:has()` put an element after the input, for the CSS fallback', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.tsx'))
  const labels = files.flatMap(name =>
    [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/<label[\s\S]*?<\/label>/g)].map(([label]) => ({ name, label })),
  )
  const chosen = labels.filter(({ label }) => label.includes('has-checked:'))
  expect(chosen.length).toBeGreaterThan(3)
  // In browsers without `:has()`, src/ui/browser-fallbacks.css styles the element after the input.
  expect(chosen.filter(({ label }) => !/<input[\s\S]*?\/>\s*(?:\{icon\}\s*)?<\w/.test(label)).map(({ name }) => name)).toEqual([])
})

test('the README names the browsers, and every page tells older ones to update', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const page = readFileSync(join(root, 'dist/client/index.html'), 'utf8')
  for (const [name, version] of Object.entries(oldestBrowsers)) {
    expect(readme).toContain(`${name} ${version}`)
    expect(page).toContain(`${name} ${version}`)
  }
  const [css] = readdirSync(built).filter(name => name.endsWith('.css'))
  expect(read(css!)).toMatch(/@supports \(color:color-mix\([^{]*\{\.too-old\{display:none\}\}/)
})
