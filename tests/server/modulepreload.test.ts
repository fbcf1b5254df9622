import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modulepreloadLinker } from '../../src/server/modulepreload.ts'
import { postprocessHtml } from '../../src/server/postprocess-html.ts'

let dist: string
const long = `/* ${'x'.repeat(20_000)} */`
const modules = {
  'Page.js': 'import"./visit.js";start()',
  'visit.js': 'export const a=1',
  'Form.js': `import{a}from"./checked.js";import{b}from"./short.js";export default a`,
  'checked.js': `import{r}from"./react.js";import"./visit.js";export const a=r;${long}`,
  'short.js': 'import"./react.js";export const b=2',
  'react.js': `export const r=1;${long}`,
  'client.js': 'import{r}from"./react.js";export default r',
}
beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), 'dl-beside-'))
  mkdirSync(join(dist, '_astro'))
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(dist, '_astro', name), text)
})
afterAll(() => rmSync(dist, { recursive: true }))

const island = (client: string, props = '{}') =>
  `<astro-island uid="1" component-url="/_astro/Form.js" component-export="default" renderer-url="/_astro/client.js" props="${props}" ssr client="${client}" opts="{}"`
const page = (...parts: string[]) =>
  `<html><head><script type="module" src="/_astro/Page.js"></script></head><body>${parts.join('')}</body></html>`

test("a page's script imports are linked, and what its islands load later is not", async () => {
  const html = await modulepreloadLinker(dist)(page(`${island('interaction')}></astro-island>`))
  expect(html.match(/<link[^>]*>/g)).toEqual(['<link rel="modulepreload" href="/_astro/visit.js">'])
})

test('an island hydrated by touch lists its modules, long ones after their imports', async () => {
  const html = await modulepreloadLinker(dist)(
    page(
      `${island('interaction', '{&quot;name&quot;:[0,&quot;> $& client=interaction&quot;]}')}></astro-island>`,
      `${island('after-paint')}></astro-island>`,
      `${island('interaction')}></astro-island>`,
    ),
  )
  const parts = '/_astro/react.js /_astro/checked.js'
  const rest = '/_astro/visit.js /_astro/short.js /_astro/Form.js /_astro/client.js'
  const lists = [...html.matchAll(/client="([\w-]+)"(?: data-parts="([^"]*)" data-rest="([^"]*)")?/g)]
  expect(lists.map(([, client, ...its]) => [client, ...its])).toEqual([
    ['interaction', parts, rest],
    ['after-paint', undefined, undefined],
    ['interaction', parts, rest],
  ])
  expect(html).toContain('> $& client=interaction&quot;]}" ssr')
})

test('a built page has short inline scripts that do the same, its data as it was', async () => {
  const data = '<script type="application/ld+json">{ "name":  "A b" }</script>'
  const script = `<script>
    {
      const named = document.querySelector('p')
      named.textContent = '$& ' + named.textContent
    }
  </script>`
  writeFileSync(join(dist, 'index.html'), page(data, script))
  await postprocessHtml(dist)
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  expect(html).toContain(data)
  const [, short] = /<script>(.*?)<\/script>/s.exec(html)!
  expect(short!.length).toBeLessThan(100)
  const p = { textContent: 'one' }
  new Function('document', short!)({ querySelector: () => p })
  expect(p.textContent).toBe('$& one')
})
