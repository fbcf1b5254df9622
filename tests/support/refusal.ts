import { Refused } from '../../modules/kernel/store.ts'

/** How a decision refuses: its code and the field; undefined where it does not. Screens go by these, so each is kept. */
export function refusal(decide: () => unknown): { code: string; field?: string } | undefined {
  try {
    decide()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (!/^[A-Z“$].*[.]$/.test(error.message)) throw new Error(`No sentence: ${error.message}`)
    return { code: error.code, ...(error.field && { field: error.field }) }
  }
  return undefined
}
