import { useEffect, useState } from 'react'
import { callApi } from '../client/api.ts'

export const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** How long typing must pause before the browser asks the server whether the slug is available. */
const DEBOUNCE_MS = 300

/** Turns a name into a URL slug: 'Ana María Díaz' → 'ana-maria-diaz'; '' if the name has no Latin letters or digits. */
export const suggestedSlugOf = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 60)
    .replace(/-$/, '')

/** Whether a slug is available, with the server's reason if not; undefined while unknown, and for the profile's `own` slug. */
export function useSlugAvailability(slug: string, own: string): { available: boolean; message: string | null } | undefined {
  const [answer, setAnswer] = useState<{ slug: string; available: boolean; message: string | null }>()
  useEffect(() => {
    if (slug === own || slug.length < 3 || !SLUG_PATTERN.test(slug)) return
    const timer = setTimeout(() => {
      callApi('GET /api/profile/slugs/{slug}', { params: { slug } }).then(
        reply => setAnswer({ ...reply, slug }),
        () => {},
      )
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [slug, own])
  return answer?.slug === slug && slug !== own ? answer : undefined
}
