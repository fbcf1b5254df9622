import { TYPICAL_FEEDBACK_TIME } from '../modules/folders/policy.ts'

/** What an owner changes to make the site theirs. */
export const site = {
  name: 'DiamondLink',
  tagline: 'Linking you to your instructor in between your lessons.',
  title: 'Professional Baseball & Softball Instruction',
  description: `Send your swing, pitch or play to a baseball or softball instructor. Notes, drawings and drills come back, typically in ${TYPICAL_FEEDBACK_TIME}. You pay after the feedback.`,
  /** The specification locks the zoom. */
  viewport: 'width=device-width, initial-scale=1, maximum-scale=1, user-scalable=no, viewport-fit=cover',
  /** Where the site lives, for canonical links and shared pictures; ORIGIN at build time goes before it. */
  origin: 'https://diamondlink.example',
  supportEmail: 'support@diamondlink.example',
  /** The header's 'Purchase …' button for players. */
  purchase: { enabled: true, href: '/player/payment' },
  /** For search engines, as the specification has it: replace it with your own figures. */
  rating: { value: 4.8, count: 145 },
  price: { amount: '0', currency: 'USD' },
  /** A real person's words for the page of an invitation. Null: it quotes what the inviting instructor wrote about themselves. */
  testimonial: null as { quote: string; by: string } | null,
  legal: { date: 'April 28, 2025', address: '[Address]', city: '[City]', state: '[State]' },
} as const

/** A page's document title: the site's own, after the page's name if it has one. */
export const documentTitle = (page?: string) => (page ? `${page} · ${site.title}` : site.title)
