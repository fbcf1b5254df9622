import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CopyObjectCommand, S3Client, UploadPartCopyCommand } from '@aws-sdk/client-s3'
import type { S3Config } from '../../src/config.ts'

/**
 * Starts an S3 proxy in front of `bucket` that honors an unsigned header, as MinIO and others did: `x-amz-copy-source` turns any
 * presigned PUT into a copy with the signer's permissions. All other requests pass through. `denies`: whether a signer may not read.
 */
export async function startS3HonoringUnsignedHeaders(
  bucket: S3Config,
  { denies = () => false }: { denies?: (accessKeyId: string) => boolean } = {},
) {
  const behind = new URL(bucket.endpoint!)
  const client = new S3Client({ region: bucket.region, endpoint: bucket.endpoint, forcePathStyle: true, credentials: bucket })
  const server = createServer((req, res) => {
    const { pathname, searchParams: query } = new URL(req.url!, behind)
    const source = req.headers['x-amz-copy-source']
    if (req.method === 'PUT' && typeof source === 'string' && query.has('X-Amz-Signature')) {
      const [Bucket, ...path] = pathname.slice(1).split('/').map(decodeURIComponent)
      const its = { Bucket, Key: path.join('/'), CopySource: source.replace(/^\//, '') }
      const [UploadId, PartNumber] = [query.get('uploadId') ?? undefined, Number(query.get('partNumber'))]
      const signer = query.get('X-Amz-Credential')!.split('/')[0]!
      const copied = denies(signer)
        ? Promise.reject(new Error('AccessDenied'))
        : UploadId
          ? client.send(new UploadPartCopyCommand({ ...its, UploadId, PartNumber }))
          : client.send(new CopyObjectCommand(its))
      req.resume()
      copied.then(
        () => res.writeHead(200).end(),
        () => res.writeHead(403).end(),
      )
      return
    }
    // The host header is signed, so it must stay unchanged.
    const through = request(
      { host: behind.hostname, port: behind.port, method: req.method, path: req.url, headers: req.headers },
      reply => {
        res.writeHead(reply.statusCode!, reply.headers)
        reply.pipe(res)
      },
    )
    through.once('error', () => res.destroy())
    req.pipe(through)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return {
    config: { ...bucket, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, publicEndpoint: undefined },
    async stop() {
      client.destroy()
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
}
