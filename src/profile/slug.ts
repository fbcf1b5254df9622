import { useEffect, useState } from 'react'
import { call } from '../client/api.ts'

export const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** The server is asked once nothing has been typed for this long. */
const DEBOUNCE_MS = 300

/** Turns a name into the last part of an address: 'Ana María Díaz' → 'ana-maria-diaz'. */
export const slugOf = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)

/** Whether a profile may have this slug, with the server's reason if not; undefined while that is not known, and for the profile's `own` slug. */
export function useSlugAvailability(slug: string, own: string): { available: boolean; message: string | null } | undefined {
  const [answer, setAnswer] = useState<{ slug: string; available: boolean; message: string | null }>()
  useEffect(() => {
    if (slug === own || slug.length < 3 || !SLUG_PATTERN.test(slug)) return
    const timer = setTimeout(() => {
      call('GET /api/profile/slugs/{slug}', { params: { slug } }).then(
        reply => setAnswer({ ...reply, slug }),
        () => {},
      )
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [slug, own])
  return answer?.slug === slug && slug !== own ? answer : undefined
}
