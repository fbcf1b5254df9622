import { S3Client } from '@aws-sdk/client-s3'

/** How to reach a bucket. Without `endpoint`, it is in AWS. */
interface S3ClientConfig {
  endpoint?: string | undefined
  region: string
  pathStyle: boolean
  accessKeyId: string
  secretAccessKey: string
}

/** Creates an S3 client. An attempt fails if the store does not respond within `requestTimeoutMs`; a request makes at most two attempts. */
export const createS3Client = ({ endpoint, region, pathStyle, accessKeyId, secretAccessKey }: S3ClientConfig, requestTimeoutMs: number) =>
  new S3Client({
    region,
    endpoint,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Otherwise a signed URL includes the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 2000, requestTimeout: requestTimeoutMs, throwOnRequestTimeout: true },
  })
