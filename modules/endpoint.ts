import { z } from 'zod'

// Without this, zod tries to compile code, which the pages' content security policy forbids, and the browser's console shows an error.
if ('document' in globalThis) z.config({ jitless: true })

export type Role = 'player' | 'instructor' | 'admin'

/** Defines an API call. The server validates requests with it; `/api/openapi.json` and the types of server and browser derive from it. */
export interface Endpoint {
  /** One line for the documentation. */
  summary: string
  /** Who may call: anyone, any signed-in account, accounts with these roles, or a guardian. */
  access: 'anyone' | 'signed-in' | 'guardian' | readonly Role[]
  /** Path parameters (`{folder}` in the path), query and JSON body: strict schemas. */
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Media types of a body that is read as bytes (`Uint8Array`) instead of JSON. */
  bytes?: readonly string[]
  /** The largest body in bytes; 1 MB if absent. */
  limit?: number
  /** A webhook from another server, authenticated by a signature; the request's origin is not checked. */
  webhook?: true
  /** The schema of a successful reply. */
  reply?: z.ZodType
  /** Media types of a successful reply that is not JSON. */
  media?: readonly string[]
  /** By status: the schemas of further JSON replies that are not problem documents. */
  otherwise?: Readonly<Record<number, z.ZodType>>
  /** Statuses of refusals that do not follow from the other fields. */
  refusals?: readonly number[]
  /**
   * Status of a successful reply. If absent: 200 with a reply or media, 204 without. A plain HTML form gets a 303, which redirects the
   * browser to a page.
   */
  status?: 200 | 201 | 202 | 204 | 303
}

/** Calls by method and path: `'POST /api/folders/{folder}/assign'`. */
export type Endpoints = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Endpoint>

export const defineEndpoints = <const E extends Endpoints>(all: E) => all
