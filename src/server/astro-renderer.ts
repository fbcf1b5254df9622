import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { modulepreloadLinker } from './modulepreload.ts'

/** Makes the page, or the file, at an address (path and query) from what it is given. @throws where there is none, or where it fails */
export type Render = (address: string, given: App.Locals) => Promise<{ type: string; body: string }>

type Handler = (req: IncomingMessage, res: ServerResponse, next: () => void, given: App.Locals) => Promise<void>

/** What a handler of `node:http` says, kept instead of sent. */
class Answer extends PassThrough {
  status = 0
  type = ''
  writeHead(status: number, headers: OutgoingHttpHeaders = {}) {
    this.status = status
    this.type = String(headers['content-type'] ?? '')
    return this
  }
}

/** Astro's own handler (`@astrojs/node`), from the built `entry`, beside which is what pages load; it is loaded when the first page is made. */
export function astroRenderer(entry: string): Render {
  const linked = modulepreloadLinker(fileURLToPath(new URL('../client', entry)))
  let loading: Promise<Handler> | undefined
  return async (address, given) => {
    loading ??= import(entry).then(built => built.handler)
    const handler = await loading
    const answer = new Answer()
    const request = { method: 'GET', url: address, headers: {}, socket: {}, once: () => {} }
    const body = text(answer)
    await handler(request as unknown as IncomingMessage, answer as unknown as ServerResponse, () => answer.writeHead(404).end(), given)
    if (answer.status !== 200) throw new Error(`The page ${address.replace(/\?.*/, '')} could not be made: ${answer.status}.`)
    return { type: answer.type, body: answer.type.startsWith('text/html') ? await linked(await body) : await body }
  }
}
