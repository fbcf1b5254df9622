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
    /** What our server gives to a page that is made on demand; nothing while pages are built. */
    interface Locals {
      /** Where people reach us. */
      origin?: string
      profile?: Profile
      instructors?: Instructor[]
      /** What a screen comes with (`Told`), as JSON; without it the screen asks by itself. */
      told?: string
    }
  }
}
