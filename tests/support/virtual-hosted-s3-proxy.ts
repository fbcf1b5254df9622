import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Config } from '../../src/config.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The parts of a request that AWS Signature Version 4 covers. `path` and `query` are encoded as on the wire. */
interface Signable {
  method: string
  path: string
  query: string
  headers: IncomingHttpHeaders
  /** Names of the signed headers, separated by semicolons. */
  signed: string
  /** Date, region, service and the constant `aws4_request`. */
  scope: string
  time: string
  payload: string
}

/** Computes the signature by S3's rules, which encode the path only once ("Authenticating Requests" in the Amazon S3 API reference). */
function signatureOf(secret: string, its: Signable) {
  const canonicalHeaders = its.signed.split(';').map(name => `${name}:${String(its.headers[name]).trim()}\n`)
  const query = its.query.split('&').filter(part => part && !part.startsWith('X-Amz-Signature='))
  const pairs = query.map(part => (part.includes('=') ? part : `${part}=`)).sort()
  const canonical = [its.method, its.path, pairs.join('&'), canonicalHeaders.join(''), its.signed, its.payload].join('\n')
  const key = its.scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return hmac(key, ['AWS4-HMAC-SHA256', its.time, its.scope, sha256(canonical)].join('\n')).toString('hex')
}

/**
 * Starts a proxy that accepts only virtual-hosted-style requests, in front of an S3 store that expects path-style ones: the bucket is the
 * first part of the host, and a signature must cover that host and the path without a bucket. The proxy checks each signature, and signs
 * the request again for the store. Names under `localhost` do not resolve everywhere, so tests have to resolve them to 127.0.0.1
 * themselves.
 */
export async function startVirtualHostedS3Proxy(behind: S3Config) {
  const target = new URL(behind.endpoint!)
  /** `METHOD host/path` of every accepted request. */
  const accepted: string[] = []
  const server = createServer((req, res) => {
    const [path = '', query = ''] = req.url!.split('?')
    const parameters = new URLSearchParams(query)
    const authorization = req.headers.authorization ?? ''
    const isPresigned = parameters.has('X-Amz-Signature')
    const credential = (isPresigned ? parameters.get('X-Amz-Credential') : /Credential=([^,\s]+)/.exec(authorization)?.[1]) ?? ''
    const original: Signable = {
      method: req.method!,
      path,
      query,
      headers: req.headers,
      scope: credential.split('/').slice(1).join('/'),
      signed: (isPresigned ? parameters.get('X-Amz-SignedHeaders') : /SignedHeaders=([^,\s]+)/.exec(authorization)?.[1]) ?? '',
      time: (isPresigned ? parameters.get('X-Amz-Date') : String(req.headers['x-amz-date'])) ?? '',
      payload: isPresigned ? 'UNSIGNED-PAYLOAD' : String(req.headers['x-amz-content-sha256']),
    }
    const given = isPresigned ? parameters.get('X-Amz-Signature')! : (/Signature=([0-9a-f]+)/.exec(authorization)?.[1] ?? '')
    const bucket = /^([^.]+)\.localhost:\d+$/.exec(req.headers.host ?? '')?.[1]
    const isHostSigned = original.signed.split(';').includes('host')
    if (!bucket || !isHostSigned || signatureOf(behind.secretAccessKey, original) !== given) {
      req.resume()
      res.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
      return
    }
    accepted.push(`${req.method} ${req.headers.host}${path}`)
    const headers = { ...req.headers, host: target.host }
    const inside = { ...original, path: `/${bucket}${path}`, headers }
    const signature = signatureOf(behind.secretAccessKey, inside)
    if (authorization) headers.authorization = authorization.replace(given, signature)
    const url = `${inside.path}?${query.replace(given, signature)}`
    const through = request({ host: target.hostname, port: target.port, method: req.method, path: url, headers }, reply => {
      res.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(res)
    })
    through.once('error', () => res.destroy())
    req.pipe(through)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const endpoint = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    config: { ...behind, endpoint, publicEndpoint: endpoint, pathStyle: false } satisfies S3Config,
    accepted,
    async stop() {
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
}
