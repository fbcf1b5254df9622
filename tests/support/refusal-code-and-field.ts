import { CommandRefused } from '../../modules/kernel/store.ts'

/**
 * Returns the code and field of the `CommandRefused` that `decide` throws, or undefined if it refuses nothing. Tests check both because
 * screens rely on them.
 * @throws Error if the refusal's message is not a full sentence
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
