import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { minify } from 'vite'
import { esbuildTargets } from '../supported-browsers.ts'
import { type ModuleImports, modulepreloadLinker } from './modulepreload.ts'

const INLINE = /(?<=<script>)[\s\S]+?(?=<\/script>)/g

/** Adds modulepreload links to every page of a built site, and minifies its inline scripts. @throws Error if one cannot be parsed */
export async function postprocessHtmlFiles(dist: string, imports: ModuleImports): Promise<void> {
  const linked = modulepreloadLinker(imports)
  const short = new Map<string, string>()
  const shorten = async (script: string) => {
    const { code, errors } = await minify('inline.js', script, { module: false, compress: { target: esbuildTargets } })
    if (errors.length) throw new Error(`An inline script cannot be read: ${errors[0]!.message}`)
    short.set(script, code)
  }
  const pages = (await readdir(dist, { recursive: true })).filter(name => name.endsWith('.html'))
  for (const page of pages) {
    const html = await readFile(join(dist, page), 'utf8')
    for (const [script] of html.matchAll(INLINE)) if (!short.has(script)) await shorten(script)
    await writeFile(join(dist, page), linked(html.replaceAll(INLINE, script => short.get(script)!)))
  }
}
