import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/playwright-base-fixtures.ts'
import { signUpAsPlayer } from './api-setup.ts'

test('the progress page shows an empty, a one-grade, a failed and a loading state', { tag: '@sweep' }, async ({
  page,
  problems,
  shoot,
  accessible,
}) => {
  problems.expect(/^(console: Failed to load|500:)/)
  await signUpAsPlayer(page)
  await page.goto('/player/progress')
  await expect(page.getByText('Your progress starts with your first feedback')).toBeVisible()
  await shoot('player-progress-empty')
  await accessible()

  const by = { id: randomUUID(), name: 'Ray Delgado', picture: null, slug: null }
  const session = (given: string, grade: number, who = by, swings: object[] = []) => ({
    id: randomUUID(),
    folder: randomUUID(),
    name: 'Tee work',
    instructor: who,
    given,
    swings,
    video: null,
    poster: null,
    grades: [{ skill: 'hitting', grade }],
  })
  const positions = (...after: number[]) => ['load', 'stride', 'contact'].map((name, i) => ({ name, frame: i, after: after[i] }))
  const swing = (...after: number[]) => ({ video: randomUUID(), skill: 'hitting', positions: positions(...after) })
  let answer: object = { sessions: [session('2026-05-03T17:00:00.000Z', 50)], goals: [] }
  let gate = Promise.resolve()
  let status = 200
  await page.route('**/api/progress', async route => {
    await gate
    const body = status === 200 ? answer : { message: 'Internal', code: 'internal' }
    await route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
  })
  await page.reload()
  await expect(page.getByText('One grade so far.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'First and newest' })).toHaveCount(0)
  await shoot('player-progress-one')
  await accessible()

  // With two instructors, unequal gaps, and two swings in one session, each dot is at its date and grade.
  const jo = { ...by, id: randomUUID(), name: 'Jo Kim' }
  answer = {
    sessions: [
      session('2026-01-01T12:00:00.000Z', 20, by, [swing(0, 210, 520), swing(0, 190, 480)]),
      session('2026-02-01T12:00:00.000Z', 65, jo),
      session('2026-05-02T12:00:00.000Z', 80, by, [swing(0, 150, 400)]),
    ],
    goals: [],
  }
  await page.reload()
  const grades = page.getByRole('region', { name: 'Grades' })
  const dots = grades.getByRole('link', { name: /, by / })
  await expect(dots).toHaveCount(3)
  await grades.getByText('All grades (3)').click()
  await expect(
    grades
      .getByRole('listitem')
      .filter({ hasText: /^80Tee work/ })
      .getByRole('link'),
  ).toBeVisible()
  await expect(grades.locator('polyline')).toHaveCount(2)
  const at = await dots.evaluateAll(all =>
    all.map(dot => {
      const { left, right, top, bottom } = dot.getBoundingClientRect()
      return { name: dot.getAttribute('aria-label')!, x: (left + right) / 2, y: (top + bottom) / 2 }
    }),
  )
  const [jan, may, feb] = at as [(typeof at)[number], (typeof at)[number], (typeof at)[number]]
  expect([jan.name, may.name, feb.name]).toEqual([
    expect.stringMatching(/^20, /),
    expect.stringMatching(/^80, /),
    expect.stringMatching(/^65, .*Jo Kim$/),
  ])
  // From the first dot, the others are 31 and 121 days to the right, and 45 and 60 points up.
  expect((feb.x - jan.x) / (may.x - jan.x)).toBeCloseTo(31 / 121, 2)
  expect((jan.y - feb.y) / (jan.y - may.y)).toBeCloseTo(45 / 60, 2)
  const times = page.getByRole('region', { name: 'Time between positions' })
  await expect(times.getByRole('listitem').filter({ hasText: 'Stride → contact' })).toContainText('250 ms')
  await expect(times.getByRole('link')).toHaveCount(6)
  await shoot('player-progress-many')
  await accessible()

  let open = () => {}
  gate = new Promise(done => {
    open = done
  })
  status = 500
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'Loading your progress' })).toBeVisible()
  await shoot('player-progress-loading')
  await accessible()
  open()
  const failed = page.getByRole('alert').filter({ hasText: 'Your progress did not load' })
  await expect(failed).toBeVisible()
  await accessible()
  status = 200
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(dots).toHaveCount(3)
})
