import { randomCode } from '../random-code.ts'
import { INVITE_CODE_LENGTH } from './policy.ts'

/** Slugs that are pages or API calls below `/instructor/`. */
const reserved = new Set(['dashboard', 'folder', 'profile', 'profile-editor', 'payments', 'by-invite', 'admin', 'new', 'edit'])

export const isReservedSlug = (slug: string) => reserved.has(slug)

/**
 * "Zoë van der Berg" → `zoe-van-der-berg`. `coach-` is put before a slug that is reserved or has fewer than three characters; a name
 * without letters or digits becomes `coach`.
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

/** A random invite code, with which an instructor invites players. */
export const newInviteCode = () => randomCode(INVITE_CODE_LENGTH)
