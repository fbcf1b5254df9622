import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postprocessHtmlFiles } from '../../src/server/add-preloads-and-minify-inline-scripts.ts'
import { modulepreloadLinker } from '../../src/server/modulepreload.ts'

let dist: string
const imports = {
  '/_astro/Page.js': ['/_astro/visit.js'],
  '/_astro/visit.js': [],
  '/_astro/Form.js': ['/_astro/checked.js', '/_astro/short.js'],
  '/_astro/checked.js': ['/_astro/react.js', '/_astro/visit.js'],
  '/_astro/short.js': ['/_astro/react.js'],
  '/_astro/react.js': [],
  '/_astro/client.js': ['/_astro/react.js'],
}
beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), 'dl-postprocess-'))
})
afterAll(() => rmSync(dist, { recursive: true }))

const island = (client: string, props = '{}') =>
  `<astro-island uid="1" component-url="/_astro/Form.js" component-export="default" renderer-url="/_astro/client.js" props="${props}" ssr client="${client}" opts="{}"`
const page = (...parts: string[]) =>
  `<html><head><script type="module" src="/_astro/Page.js"></script></head><body>${parts.join('')}</body></html>`

const linksIn = (html: string) => [...html.matchAll(/<link rel="modulepreload" href="\/_astro\/(\w+)\.js">/g)].map(([, name]) => name)
const modulesOfIsland = ['react', 'visit', 'checked', 'short', 'Form', 'client']

test('modules of a page script are preloaded, those of a deferred island are not', () => {
  const html = modulepreloadLinker(imports)(page(`${island('interaction')}></astro-island>`, `${island('after-paint')}></astro-island>`))
  expect(linksIn(html)).toEqual(['visit'])
})

test.each(['load', 'only'])('all modules of an island that hydrates immediately are preloaded (client:%s)', client => {
  const html = modulepreloadLinker(imports)(page(`${island(client)}></astro-island>`))
  expect(linksIn(html).sort()).toEqual(modulesOfIsland.toSorted())
  expect(html).not.toContain('data-modules')
})

test('an island that hydrates on interaction or after paint lists all its modules', () => {
  const html = modulepreloadLinker(imports)(
    page(
      `${island('interaction', '{&quot;name&quot;:[0,&quot;> $& client=interaction&quot;]}')}></astro-island>`,
      `${island('load')}></astro-island>`,
      `${island('after-paint')}></astro-island>`,
    ),
  )
  const modules = modulesOfIsland.map(name => `/_astro/${name}.js`).join(' ')
  const lists = [...html.matchAll(/client="([\w-]+)"(?: data-modules="([^"]*)")?/g)]
  expect(lists.map(([, client, list]) => [client, list])).toEqual([
    ['interaction', modules],
    ['load', undefined],
    ['after-paint', modules],
  ])
  expect(html).toContain('> $& client=interaction&quot;]}" ssr')
})

test('the scripts of a built page are minified, and its data is unchanged', async () => {
  const data = '<script type="application/ld+json">{ "name":  "A b" }</script>'
  const script = `<script>
    {
      const named = document.querySelector('p')
      named.textContent = '$& ' + named.textContent
    }
  </script>`
  writeFileSync(join(dist, 'index.html'), page(data, script))
  await postprocessHtmlFiles(dist, imports)
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  expect(html).toContain(data)
  const [, short] = /<script>(.*?)<\/script>/s.exec(html)!
  expect(short!.length).toBeLessThan(100)
  const p = { textContent: 'one' }
  new Function('document', short!)({ querySelector: () => p })
  expect(p.textContent).toBe('$& one')
})
