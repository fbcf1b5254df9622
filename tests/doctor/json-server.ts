import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a server that answers with JSON until the current test ends. @returns its URL */
export async function startJsonServer(answer: (request: IncomingMessage) => { status: number; body: object }): Promise<string> {
  const server = createServer((request, response) => {
    const { status, body } = answer(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
