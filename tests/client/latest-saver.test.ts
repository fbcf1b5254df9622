import { expect, test } from 'vitest'
import { createLatestSaver } from '../../src/client/latest-saver.ts'

/** A server that answers only when the test resolves or rejects one of `answers`. */
function slowServer() {
  const saved: string[] = []
  const answers: PromiseWithResolvers<void>[] = []
  const save = createLatestSaver((value: string) => {
    saved.push(value)
    const answer = Promise.withResolvers<void>()
    answers.push(answer)
    return answer.promise
  })
  return { save, saved, answers }
}

test('only the latest of the values chosen during a save is saved next', async () => {
  const { save, saved, answers } = slowServer()
  const all = Promise.all([save('bats'), save('throws'), save('level')])
  expect(saved).toEqual(['bats'])
  answers[0]!.resolve()
  await expect.poll(() => saved).toEqual(['bats', 'level'])
  answers[1]!.resolve()
  await all
  const again = save('bats')
  expect(saved).toEqual(['bats', 'level', 'bats'])
  answers[2]!.resolve()
  await again
})

test('the outcome is that of the last value', async () => {
  const { save, saved, answers } = slowServer()
  const first = save('bats')
  const second = save('throws')
  answers[0]!.reject(new Error('Refused'))
  await expect.poll(() => saved).toEqual(['bats', 'throws'])
  answers[1]!.resolve()
  await Promise.all([first, second])
  const third = save('level')
  answers[2]!.reject(new Error('No connection'))
  await expect(third).rejects.toThrow('No connection')
})
