import { CommandRefused } from '../../modules/kernel/store.ts'

/**
 * The code and field with which a decision refuses, because screens rely on them; undefined if it does not refuse.
 * @throws Error if the message is not a whole sentence
 */
export function refusalCodeAndField(decide: () => unknown): { code: string; field?: string } | undefined {
  try {
    decide()
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error
    if (!/^[A-Z“$].*[.]$/.test(error.message)) throw new Error(`No sentence: ${error.message}`)
    return { code: error.code, ...(error.field && { field: error.field }) }
  }
  return undefined
}
