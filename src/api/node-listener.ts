import type { IncomingMessage, ServerResponse } from 'node:http'
import type { H3 } from 'h3'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { trustedProxies } from '../trusted-proxy-list.ts'
import { BufferedResponse } from './buffered-response.ts'
import { encodeBody, isLargeEnoughToCompress } from './response-compression.ts'

/** Adapts the app to a request listener for `node:http`. */
export function nodeListener(app: H3, trusted: readonly string[]) {
  // srvx only calls `includes` on this list, so an object that matches whole networks can stand in for an array.
  const trustProxy = trustedProxies(trusted) as string[]
  return async (req: IncomingMessage, res: ServerResponse) => {
    const response = await app.fetch(new NodeRequest({ req, res, trustProxy } as ConstructorParameters<typeof NodeRequest>[0]))
    if (!(response instanceof BufferedResponse) || res.headersSent) return sendNodeResponse(res, response)
    const { text, status, headers } = response.sent
    const length = Buffer.byteLength(text)
    // A small body stays text: Node writes text together with the headers in one write, but a buffer in a second one.
    if (!isLargeEnoughToCompress(length)) {
      headers['content-length'] = String(length)
      return res.writeHead(status, headers).end(text)
    }
    const encoded = await encodeBody(text, req.headers['accept-encoding'])
    res.writeHead(status, { ...headers, ...encoded.headers }).end(encoded.body)
  }
}
