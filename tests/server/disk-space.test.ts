import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { assertDiskSpace } from '../../src/server/disk-space.ts'

test('a disk with too little room is told from one with enough; a missing one has none', async () => {
  await assertDiskSpace([tmpdir(), '/nowhere/at/all'], 1)
  await expect(assertDiskSpace(['/nowhere/at/all', tmpdir()], Number.MAX_SAFE_INTEGER)).rejects.toThrow(`The disk of ${tmpdir()} is full.`)
})
