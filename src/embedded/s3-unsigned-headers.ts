import type { IncomingHttpHeaders } from 'node:http'

const namesOf = (list: string | undefined) => new Set((list ?? '').toLowerCase().split(';'))

/**
 * The `x-amz-*` headers of a request that its AWS Signature Version 4 does not cover. S3 refuses such a request: with an unsigned
 * `x-amz-copy-source`, for example, whoever holds a signed PUT could copy any object that its signer may read.
 * @param headers as they arrived
 * @param query the parameters of the address, where a presigned one names the headers it covers
 */
export function unsignedHeaders(headers: IncomingHttpHeaders, query: Record<string, string | string[] | undefined>): string[] {
  const presigned = query['X-Amz-SignedHeaders']
  const inHeader = /\bSignedHeaders=([^,\s]+)/.exec(headers.authorization ?? '')?.[1]
  const signed = namesOf(typeof presigned === 'string' ? presigned : inHeader)
  return Object.keys(headers).filter(name => name.startsWith('x-amz-') && !signed.has(name))
}
