import 'astro'
import type { Profile } from '../modules/instructors/contract.ts'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:interaction'?: boolean | 'query'
    'client:after-paint'?: boolean
  }
}

declare global {
  namespace App {
    /** Data that the server passes to a page that it renders on demand; empty at build time. */
    interface Locals {
      /** The site's public origin. */
      origin?: string
      profile?: Profile
      /** Whether only the profile's owner sees this page. */
      isPreview?: boolean
      /** The slugs of all public profiles, for the sitemap. */
      profileSlugs?: string[]
      /** A `PreloadedPageData` as JSON. Without it, the screen requests its data itself. */
      preloaded?: string
    }
  }
}
