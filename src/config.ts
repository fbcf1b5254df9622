import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { isValidTrustedProxy } from './trusted-proxy-list.ts'

/** An S3 bucket and its connection settings. `publicEndpoint` is the URL for browsers, if it differs from `endpoint`. */
export interface S3Config {
  endpoint?: string
  publicEndpoint?: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  pathStyle: boolean
  /** Credentials that sign browsers' uploads, if they differ from the server's. */
  uploadAccessKeyId?: string
  uploadSecretAccessKey?: string
}
interface StripeConfig {
  secretKey: string
  webhookSecret: string
  /** The URL of a server that imitates Stripe's API (the sandbox); api.stripe.com if absent. */
  url?: string
}
export interface ResendConfig {
  apiKey: string
  /** Secrets that sign webhooks about letters, separated by commas. Without any, such webhooks are refused. */
  webhookSecret?: string
  /** The URL of a server that imitates Resend's API (the mailbox); api.resend.com if absent. */
  url?: string
}

/**
 * The server's configuration. If `databaseUrl`, `s3`, `stripe` or `resend` is absent, an embedded replacement is started
 * (`embedded/index.ts`). Without `eventstoredbUrl`, the log is in Postgres.
 */
export interface Config {
  host: string
  port: number
  /** The port that serves `/metrics`; no metrics if absent. */
  metricsPort?: number
  /** The public origin of the site, without a trailing slash. */
  origin: string
  dataDir: string
  demo: boolean
  logLevel: string
  mailFrom: string
  /** Proxies whose `X-Forwarded-For` is trusted: IP addresses, networks or `loopback`. */
  proxies: string[]
  /** Multiplies every rate limit. */
  limitScale: number
  /**
   * How many videos this process prepares at once; in addition, it prepares half as many short videos, rounded up. 0 if other processes
   * prepare the videos.
   */
  mediaWorkers: number
  /** How many seconds instructors have to undo a delivery; if 0, a review is delivered immediately. */
  deliveryUndoSeconds: number
  databaseUrl?: string
  /** The URL of the database itself, if `databaseUrl` is that of a connection pooler in transaction mode. */
  databaseDirectUrl?: string
  eventstoredbUrl?: string
  s3?: S3Config
  stripe?: StripeConfig
  resend?: ResendConfig
}
/** A configuration in which Postgres, S3, Stripe and Resend are set, each as the real service or its embedded replacement. */
export type ConfigWithAllServices = Config & Required<Pick<Config, 'databaseUrl' | 's3' | 'stripe' | 'resend'>>

/** The default for `MEDIA_WORKERS`: preparing a video keeps two cores busy and may take 1.5 GB of memory. */
const MEDIA_WORKERS = Math.min(8, Math.max(1, Math.floor(availableParallelism() / 2)))

const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0', 'on', 'off'], 'must be true or false')
    .transform(v => v === 'true' || v === '1' || v === 'on')
    .default(fallback)

const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      v => URL.canParse(v) && protocols.includes(new URL(v).protocol),
      `must be a URL that starts with ${protocols.map(p => `${p}//`).join(' or ')}`,
    )

const environment = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1'),
  PORT: z.coerce.number('must be a number').int().min(0).max(65535).default(4321),
  METRICS_PORT: z.coerce.number('must be a number').int().min(1).max(65535).optional(),
  ORIGIN: url('http:', 'https:').optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DEMO: flag(true),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MAIL_FROM: z.string().min(3).default('DiamondLink <hello@diamondlink.example>'),
  TRUST_PROXY: z
    .string()
    .default('loopback')
    .transform(v => v.split(',').map(item => item.trim()))
    .refine(items => items.every(isValidTrustedProxy), 'must be addresses, networks (10.0.0.0/8) or loopback, separated by commas'),
  RATE_LIMIT_SCALE: z.coerce.number('must be a number').positive('must be positive').default(1),
  MEDIA_WORKERS: z.coerce.number('must be a number').int().min(0, 'must not be negative').max(64, 'may be up to 64').default(MEDIA_WORKERS),
  DELIVERY_UNDO_SECONDS: z.coerce.number('must be a number').int().min(0, 'must not be negative').max(60, 'may be up to 60').default(10),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_DIRECT_URL: url('postgres:', 'postgresql:').optional(),
  // A list of hosts with ports is not a URL by the WHATWG standard, so only the scheme is checked; EventStoreDB's client checks the rest.
  EVENTSTOREDB_URL: z
    .string()
    .regex(
      /^(esdb|kurrentdb)(\+discover)?:\/\/./,
      'must be a URL that starts with esdb:// or esdb+discover:// or kurrentdb:// or kurrentdb+discover://',
    )
    .optional(),
  S3_ENDPOINT: url('http:', 'https:').optional(),
  S3_PUBLIC_ENDPOINT: url('http:', 'https:').optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(3).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_UPLOAD_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_UPLOAD_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_PATH_STYLE: flag(false),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'must start with sk_ or rk_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'must start with whsec_')
    .optional(),
  RESEND_API_KEY: z.string().regex(/^re_/, 'must start with re_').optional(),
  RESEND_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'must start with whsec_')
    .optional(),
})

/** An invalid environment. The message is one line that names the variable. */
export class ConfigError extends Error {}

/** Reads and validates the environment, once at startup. An empty variable counts as absent. @throws ConfigError */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, v]) => v !== '')))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new ConfigError(`${issue!.path.join('.')}: ${issue!.message}`)
  }
  const e = parsed.data
  const together = (names: (keyof typeof e)[]) => {
    const presentNames = names.filter(n => e[n] !== undefined)
    const missing = names.filter(n => e[n] === undefined)
    if (presentNames.length && missing.length)
      throw new ConfigError(`${missing.join(', ')}: needed because ${presentNames.join(', ')} is set`)
    return presentNames.length > 0
  }
  const s3 = together(['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  if (!s3 && e.S3_ENDPOINT) throw new ConfigError('S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: needed because S3_ENDPOINT is set')
  const uploads = together(['S3_UPLOAD_ACCESS_KEY_ID', 'S3_UPLOAD_SECRET_ACCESS_KEY'])
  const name = e.HOST === '0.0.0.0' || e.HOST === '::' ? 'localhost' : e.HOST.includes(':') ? `[${e.HOST}]` : e.HOST
  if (e.DATABASE_DIRECT_URL && !e.DATABASE_URL) throw new ConfigError('DATABASE_URL: needed because DATABASE_DIRECT_URL is set')
  if (e.RESEND_WEBHOOK_SECRET && !e.RESEND_API_KEY) throw new ConfigError('RESEND_API_KEY: needed because RESEND_WEBHOOK_SECRET is set')
  const stripe = together(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
  return {
    host: e.HOST,
    port: e.PORT,
    metricsPort: e.METRICS_PORT,
    origin: new URL(e.ORIGIN ?? `http://${name}:${e.PORT}`).origin,
    dataDir: e.DATA_DIR,
    demo: e.DEMO,
    logLevel: e.LOG_LEVEL,
    mailFrom: e.MAIL_FROM,
    proxies: e.TRUST_PROXY,
    limitScale: e.RATE_LIMIT_SCALE,
    mediaWorkers: e.MEDIA_WORKERS,
    deliveryUndoSeconds: e.DELIVERY_UNDO_SECONDS,
    databaseUrl: e.DATABASE_URL,
    databaseDirectUrl: e.DATABASE_DIRECT_URL,
    eventstoredbUrl: e.EVENTSTOREDB_URL,
    ...(s3 && {
      s3: {
        endpoint: e.S3_ENDPOINT,
        publicEndpoint: e.S3_PUBLIC_ENDPOINT,
        region: e.S3_REGION,
        bucket: e.S3_BUCKET!,
        accessKeyId: e.S3_ACCESS_KEY_ID!,
        secretAccessKey: e.S3_SECRET_ACCESS_KEY!,
        pathStyle: e.S3_PATH_STYLE,
        ...(uploads && { uploadAccessKeyId: e.S3_UPLOAD_ACCESS_KEY_ID!, uploadSecretAccessKey: e.S3_UPLOAD_SECRET_ACCESS_KEY! }),
      },
    }),
    ...(stripe && { stripe: { secretKey: e.STRIPE_SECRET_KEY!, webhookSecret: e.STRIPE_WEBHOOK_SECRET! } }),
    ...(e.RESEND_API_KEY && { resend: { apiKey: e.RESEND_API_KEY, webhookSecret: e.RESEND_WEBHOOK_SECRET } }),
  }
}
