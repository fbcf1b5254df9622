import type { IncomingHttpHeaders } from 'node:http'

const namesOf = (list: string | undefined) => new Set((list ?? '').toLowerCase().split(';'))

/**
 * The `x-amz-*` headers of a request that its AWS Signature Version 4 does not cover. S3 refuses such a request: with an unsigned
 * `x-amz-copy-source`, for example, anybody with a signed PUT could copy any object that its signer may read.
 * @param headers as received
 * @param query the URL's parameters, in which a presigned URL names its signed headers
 */
export function unsignedHeaders(headers: IncomingHttpHeaders, query: Record<string, string | string[] | undefined>): string[] {
  const presigned = query['X-Amz-SignedHeaders']
  const inHeader = /\bSignedHeaders=([^,\s]+)/.exec(headers.authorization ?? '')?.[1]
  const signed = namesOf(typeof presigned === 'string' ? presigned : inHeader)
  return Object.keys(headers).filter(name => name.startsWith('x-amz-') && !signed.has(name))
}
