import { expect, test } from 'vitest'
import { readVideoPackets } from '../../src/comparison/mp4-packets.ts'

test('readVideoPackets throws for a file that is not a complete MP4', () => {
  const box = (type: string, ...inside: number[][]) => {
    const body = inside.flat()
    return [...[24, 16, 8, 0].map(n => ((body.length + 8) >> n) & 255), ...[...type].map(c => c.charCodeAt(0)), ...body]
  }
  const bad = [[], [0, 0, 0, 9, 1], box('moov'), box('moov', box('trak')), box('moov', [0, 0, 1, 0, 116, 114, 97, 107])]
  for (const bytes of bad) expect(() => readVideoPackets(new Uint8Array(bytes).buffer)).toThrow()
})
