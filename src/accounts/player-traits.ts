import type { PlayerTraits } from '../../modules/accounts/contract.ts'

type Options<T> = readonly (readonly [value: T, name: string])[]

export const BATS_OPTIONS: Options<NonNullable<PlayerTraits['bats']>> = [
  ['right', 'Right'],
  ['left', 'Left'],
  ['switch', 'Switch'],
]
export const THROWS_OPTIONS: Options<NonNullable<PlayerTraits['throws']>> = [
  ['right', 'Right'],
  ['left', 'Left'],
]
export const PLAYER_LEVELS: Options<NonNullable<PlayerTraits['level']>> = [
  ['youth', 'Youth'],
  ['middle-school', 'Middle school'],
  ['high-school', 'High school'],
  ['college', 'College'],
  ['adult', 'Adult'],
]

/** 'Age 14 · High school · Bats left, throws right'; empty if nothing is known. */
export function describePlayer({ age, bats, throws, level }: PlayerTraits & { age: number | null }): string {
  const hands = [bats && (bats === 'switch' ? 'switch-hits' : `bats ${bats}`), throws && `throws ${throws}`].filter(Boolean).join(', ')
  return [
    age !== null && `Age ${age}`,
    PLAYER_LEVELS.find(([value]) => value === level)?.[1],
    hands && hands.charAt(0).toUpperCase() + hands.slice(1),
  ]
    .filter(Boolean)
    .join(' · ')
}
