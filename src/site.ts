import { TYPICAL_FEEDBACK_TIME } from '../modules/folders/policy.ts'

/** The settings that an owner changes to make the site theirs. */
export const site = {
  name: 'DiamondLink',
  tagline: 'Linking you to your instructor in between your lessons.',
  title: 'Professional Baseball & Softball Instruction',
  description: `Send your swing, pitch or play to a baseball or softball instructor. Notes, drawings and drills come back, typically in ${TYPICAL_FEEDBACK_TIME}. You pay after the feedback.`,
  /** The specification requires zoom to be disabled. */
  viewport: 'width=device-width, initial-scale=1, maximum-scale=1, user-scalable=no, viewport-fit=cover',
  /** The public origin, for canonical links and link-preview images. ORIGIN at build time overrides it. */
  origin: 'https://diamondlink.example',
  supportEmail: 'support@diamondlink.example',
  /** The header's 'Purchase …' button for players. */
  purchase: { enabled: true, href: '/player/payment' },
  /** Structured data for search engines. The specification sets these values: replace them with your own. */
  rating: { value: 4.8, count: 145 },
  price: { amount: '0', currency: 'USD' },
  /** A real person's testimonial for the invitation page. If null, the page quotes the inviting instructor's own profile. */
  testimonial: null as { quote: string; by: string } | null,
  legal: { date: 'April 28, 2025', address: '[Address]', city: '[City]', state: '[State]' },
} as const

/** A page's document title: the page's name, if any, before the site's own title. */
export const documentTitle = (page?: string) => (page ? `${page} · ${site.title}` : site.title)
