import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isMobile } from '../../src/islands/hero/device.ts'
import { emailProblem } from '../../src/islands/hero/email.ts'
import { skillBadges, sportLabel } from '../../src/islands/instructors/labels.ts'
import { initials, pictureSource } from '../../src/ui/avatar.ts'

vi.mock('../../src/ui/toaster.tsx', () => ({ mountToaster: () => {} }))

describe('a picture', () => {
  test('named by a bare file lies in /uploads/profile/', () => {
    expect(pictureSource('me.jpeg')).toBe('/uploads/profile/me.jpeg')
  })
  test('named by a path is found there', () => {
    expect(pictureSource('/uploads/profile/me.jpeg')).toBe('/uploads/profile/me.jpeg')
    expect(pictureSource('/img/other.png')).toBe('/img/other.png')
  })
  test('that is empty, or of the instructor with id 3, is /img/default-profile.jpeg', () => {
    for (const empty of ['', null, undefined]) expect(pictureSource(empty)).toBe('/img/default-profile.jpeg')
    expect(pictureSource('me.jpeg', 3)).toBe('/img/default-profile.jpeg')
    expect(pictureSource('/img/other.png', '3')).toBe('/img/default-profile.jpeg')
    expect(pictureSource('me.jpeg', 4)).toBe('/uploads/profile/me.jpeg')
  })
  test('that does not load leaves at most 2 initials, or none for an icon', () => {
    expect(['Ana García', 'Ana', 'ana maria garcía', ' Zoë  Ortiz ', ''].map(initials)).toEqual(['AG', 'A', 'AM', 'ZO', ''])
  })
})

describe('an instructor card', () => {
  test("says 'Baseball', 'Softball' or 'Baseball/Softball', then 'Instructor', for one value or several", () => {
    expect(sportLabel('baseball')).toBe('Baseball Instructor')
    expect(sportLabel(['softball'])).toBe('Softball Instructor')
    expect(sportLabel(['softball', 'baseball'])).toBe('Baseball/Softball Instructor')
  })
  test("shows 3 skills, or 2 on a phone, and '+N' for the rest", () => {
    const all = ['hitting', 'pitching', 'fielding', 'catching']
    expect(skillBadges(all, 3)).toEqual(['Hitting', 'Pitching', 'Fielding', '+1'])
    expect(skillBadges(all, 2)).toEqual(['Hitting', 'Pitching', '+2'])
    expect(skillBadges(all.slice(0, 3), 3)).toEqual(['Hitting', 'Pitching', 'Fielding'])
  })
})

describe('an address left on the landing page', () => {
  const invalid = 'Please enter a valid email address'
  test.each([
    ['a@b.', invalid],
    ['a@b.c', undefined],
    ['nobody.example.com', invalid],
    ['     @    ', invalid],
    ['me@grr.la', 'Please use your regular email address'],
    ['me@MAILINATOR.com', 'Please use your regular email address'],
    [`${'x'.repeat(244)}@y.example`, undefined],
    [`${'x'.repeat(245)}@y.example`, 'Email address is too long'],
  ])('contains @, has 5 to 254 characters and no blocked domain: %j', (email, problem) => {
    expect(emailProblem(email)).toBe(problem)
  })
})

describe('a device', () => {
  afterEach(() => vi.unstubAllGlobals())
  const at = (userAgent: string, innerWidth: number) => {
    vi.stubGlobal('navigator', { userAgent })
    vi.stubGlobal('innerWidth', innerWidth)
    return isMobile()
  }
  test('is mobile by iPhone, iPad, iPod or Android in its name, or under 768 px', () => {
    for (const name of ['iPhone', 'iPad', 'iPod', 'Android']) expect(at(`Mozilla/5.0 (${name}; x)`, 1440)).toBe(true)
    expect([at('Mozilla/5.0 (X11; Linux)', 767), at('Mozilla/5.0 (X11; Linux)', 768)]).toEqual([true, false])
  })
})

describe('a toast', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    const kept = new Map<string, string>()
    const area = { getItem: (k: string) => kept.get(k) ?? null, setItem: kept.set.bind(kept), removeItem: kept.delete.bind(kept) }
    vi.stubGlobal('sessionStorage', area)
    vi.resetModules()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  test('is the only one, and shows for 5000 ms', async () => {
    const { $toasts, toast } = await import('../../src/ui/toast.ts')
    toast({ title: 'first' })
    toast({ title: 'second' })
    expect($toasts.get()).toMatchObject([{ title: 'second', open: true, duration: 5000 }])
  })
  test('is removed 1,000,000 ms after it was dismissed', async () => {
    const { $toasts, toast, dismissToast } = await import('../../src/ui/toast.ts')
    dismissToast(toast({ title: 'seen' }))
    await vi.advanceTimersByTimeAsync(999_999)
    expect($toasts.get()).toMatchObject([{ title: 'seen', open: false }])
    await vi.advanceTimersByTimeAsync(1)
    expect($toasts.get()).toEqual([])
  })
})
