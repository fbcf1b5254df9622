import type { CspOrigins } from '../security-headers.ts'
import type { RenderPage } from './astro-renderer.ts'
import { type PageResponse, visitorInputPageBuilder } from './page-responses.ts'

/** Placeholder in a template for the email address that a visitor typed. */
const EMAIL_PLACEHOLDER = 'address-of-the-visitor'
/** The maximum length of an email address (RFC 5321, 4.5.3.1.3). */
const MAX_EMAIL_LENGTH = 254

/**
 * The pages of `/start`: the steps of signing up (email, role, login) for browsers without scripts. They show what the visitor typed and so
 * cannot be cached. Each kind is rendered once as a template, so any number of requests costs no more than serving a file.
 */
export function noscriptSignupPageRenderer(render: RenderPage, around: CspOrigins) {
  /**
   * For each kind of page, a function that inserts the visitor's HTML-escaped email address. There are at most 16 kinds: four values of
   * `step` (including none), with or without `why`, with or without `email`.
   */
  const templates = new Map<string, Promise<(address: string) => PageResponse>>()

  async function makeTemplate(kind: string) {
    const { body } = await render(`/start?${kind}`, { origin: around.origin })
    const buildPage = visitorInputPageBuilder(body, around)
    return (address: string) => buildPage(body.replaceAll(EMAIL_PLACEHOLDER, () => address))
  }
  function templateOf(kind: string) {
    const template = templates.get(kind) ?? makeTemplate(kind)
    templates.set(kind, template)
    template.catch(() => templates.delete(kind))
    return template
  }

  return async (search: string): Promise<PageResponse> => {
    const query = new URLSearchParams(search)
    const email = query.get('email')?.slice(0, MAX_EMAIL_LENGTH) ?? ''
    const step = query.get('step')
    const kind = new URLSearchParams({
      ...(step && { step: step === 'role' || step === 'login' ? step : 'email' }),
      ...(query.get('why') === 'blocked' && { why: 'blocked' }),
      ...(email && { email: EMAIL_PLACEHOLDER }),
    })
    return (await templateOf(`${kind}`))(escaped(email))
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, mark => ENTITIES[mark]!)
