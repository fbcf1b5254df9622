import { readFile } from 'node:fs/promises'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { MODULE_IMPORTS_FILE, modulepreloadLinker } from './modulepreload.ts'

/** Renders the page or file at `address` (path and query) with the given locals. @throws Error if there is none or rendering fails */
export type RenderPage = (address: string, given: App.Locals) => Promise<{ type: string; body: string }>

type Handler = (req: IncomingMessage, res: ServerResponse, next: () => void, given: App.Locals) => Promise<void>

/** A `node:http` response that collects what a handler writes instead of sending it. */
class CollectedResponse extends PassThrough {
  status = 0
  type = ''
  writeHead(status: number, headers: OutgoingHttpHeaders = {}) {
    this.status = status
    this.type = String(headers['content-type'] ?? '')
    return this
  }
}

/** Renders with Astro's own handler (`@astrojs/node`) from the built `entry`, which is loaded when the first page is rendered. */
export function astroRenderer(entry: string): RenderPage {
  const load = async () => {
    const [built, imports] = await Promise.all([import(entry), readFile(new URL(MODULE_IMPORTS_FILE, entry), 'utf8')])
    return { handler: built.handler as Handler, linked: modulepreloadLinker(JSON.parse(imports)) }
  }
  let loading: ReturnType<typeof load> | undefined
  return async (address, given) => {
    loading ??= load()
    const { handler, linked } = await loading
    const answer = new CollectedResponse()
    const request = { method: 'GET', url: address, headers: {}, socket: {}, once: () => {} }
    const body = text(answer)
    await handler(request as unknown as IncomingMessage, answer as unknown as ServerResponse, () => answer.writeHead(404).end(), given)
    if (answer.status !== 200) throw new Error(`The page ${address.replace(/\?.*/, '')} could not be made: ${answer.status}.`)
    return { type: answer.type, body: answer.type.startsWith('text/html') ? linked(await body) : await body }
  }
}
