import { randomCode } from '../random-code.ts'
import { INVITE_CODE_LENGTH } from './policy.ts'

/** Slugs that no profile may have, because pages or API calls under `/instructor/` and `/api/instructors/` have or may get these names. */
const reserved = new Set(['dashboard', 'folder', 'profile', 'profile-editor', 'payments', 'by-invite', 'admin', 'new', 'edit'])

export const isReservedSlug = (slug: string) => reserved.has(slug)

/**
 * "Zoë van der Berg" → `zoe-van-der-berg`. A slug that is reserved or has fewer than three characters gets the prefix `coach-`; a name
 * without Latin letters or digits becomes `coach`.
 */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50)
    .replace(/-+$/, '')
  return plain.length < 3 || reserved.has(plain) ? `coach${plain && `-${plain}`}` : plain
}

export const newInviteCode = () => randomCode(INVITE_CODE_LENGTH)
