import { z } from 'zod'

// In a page nothing may be compiled (its policy says so), and only trying to is told in the browser's console.
if ('document' in globalThis) z.config({ jitless: true })

export type Role = 'player' | 'instructor' | 'admin'

/** One call of the API: what validates it, what documents it (`/api/openapi.json`), and what types both of its ends. */
export interface Endpoint {
  /** One line for the documentation. */
  summary: string
  /** Who may call: anyone, any account that is signed in, accounts of these roles, or a guardian, whose session opens these calls alone. */
  access: 'anyone' | 'signed-in' | 'guardian' | readonly Role[]
  /** Path parameters (`{folder}` in the path), query and JSON body: strict schemas. */
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Media types of a body that is taken as bytes (`Uint8Array`) instead of JSON. */
  bytes?: readonly string[]
  /** Most bytes a body may have; 1 MB if absent. */
  limit?: number
  /** Called by another server (a webhook), which proves itself by a signature: no origin is asked for. */
  webhook?: true
  /** What a success answers. */
  reply?: z.ZodType
  /** Media types of a success that is not JSON. */
  media?: readonly string[]
  /** What another status answers that is no problem document. */
  otherwise?: Readonly<Record<number, z.ZodType>>
  /** Statuses of refusals that do not follow from the rest. */
  refusals?: readonly number[]
  /** Status of a success; 200 if absent. A 303 leads a plain form on to a page. */
  status?: 200 | 201 | 202 | 204 | 303
}

/** Calls by method and path: `'POST /api/folders/{folder}/assign'`. */
export type Endpoints = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Endpoint>

export const endpoints = <const E extends Endpoints>(all: E) => all
