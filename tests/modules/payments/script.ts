import type { Till } from '../../../modules/payments/charge.ts'

/**
 * A payment provider that answers by a script: per call one answer after another, the last one again; an error is thrown. What it was asked is in
 * `calls`. A call without an answer fails the test.
 */
export function scripted(answers: () => Record<string, unknown[]>, calls: unknown[][]): Till['gateway'] {
  return new Proxy({} as Till['gateway'], {
    get:
      (_, call: string) =>
      async (...asked: unknown[]) => {
        calls.push([call, ...asked])
        const left = answers()[call]
        if (!left) throw new Error(`${call} was not to be asked`)
        const answer = left.length > 1 ? left.shift() : left[0]
        if (answer instanceof Error) throw answer
        return answer
      },
  })
}
