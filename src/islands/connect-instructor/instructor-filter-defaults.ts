/** How long typing must pause before the search is sent, in ms. */
export const SEARCH_DEBOUNCE_MS = 200

export interface InstructorFilter {
  name: string
  sport: string
  skill: string
}
export const EMPTY_INSTRUCTOR_FILTER: InstructorFilter = { name: '', sport: '', skill: '' }
