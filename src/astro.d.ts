import 'astro'
import type { Instructor, Profile } from '../modules/instructors/contract.ts'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:interaction'?: boolean | 'query'
    'client:after-paint'?: boolean
  }
}

declare global {
  namespace App {
    /** What the server gives to a page that it renders on demand; empty while pages are built. */
    interface Locals {
      /** The site's public origin. */
      origin?: string
      profile?: Profile
      /** The profile is shown to its owner alone. */
      isPreview?: boolean
      instructors?: Instructor[]
      /** A `PreloadedPage` as JSON; without it the screen requests its data itself. */
      preloaded?: string
    }
  }
}
