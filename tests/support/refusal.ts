import { CommandRefused } from '../../modules/kernel/store.ts'

/** How a decision refuses: its code and field, or undefined if it does not refuse. Screens rely on these, so tests check both. */
export function refusalOf(decide: () => unknown): { code: string; field?: string } | undefined {
  try {
    decide()
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error
    if (!/^[A-Z“$].*[.]$/.test(error.message)) throw new Error(`No sentence: ${error.message}`)
    return { code: error.code, ...(error.field && { field: error.field }) }
  }
  return undefined
}
