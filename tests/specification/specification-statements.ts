import { featureStatements } from './statements-of-features.ts'
import { pageStatements } from './statements-of-pages.ts'

export interface SectionOfSpecification {
  section: string
  part?: string
  statements: Record<string, string>
}

/**
 * Every statement of the specification's sections 2 to 9 (and of section 1, insofar as it concerns every page), under a number of our own.
 * The tests that verify a statement have `@spec:` and that number in a comment above them.
 */
export const specificationStatements: SectionOfSpecification[] = [...pageStatements, ...featureStatements]
