import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { assertDiskSpace } from '../../src/server/disk-space.ts'

test('an almost full disk is reported; a directory that does not exist is skipped', async () => {
  await assertDiskSpace([tmpdir(), '/nowhere/at/all'], 1)
  await expect(assertDiskSpace(['/nowhere/at/all', tmpdir()], Number.MAX_SAFE_INTEGER)).rejects.toThrow(`The disk of ${tmpdir()} is full.`)
})
