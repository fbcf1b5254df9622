import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createToolPresets, MAX_TOOL_PRESETS, type ToolPreset } from '../../src/drawing/tool-presets.ts'

const preset = (color: number): ToolPreset => ({ instrument: 'arrow', color, width: 90, stay: 'two' })
let stored: Map<string, string>
beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('presets are stored for the next visit, newest first and without duplicates', () => {
  const presets = createToolPresets()
  for (const color of [0, 1, 0]) presets.add(preset(color))
  expect(createToolPresets().$presets.get()).toEqual([preset(0), preset(1)])
  presets.remove(preset(0))
  expect(createToolPresets().$presets.get()).toEqual([preset(1)])
})

test('the oldest preset is removed when there are too many', () => {
  const presets = createToolPresets()
  for (let color = 0; color <= MAX_TOOL_PRESETS; color++) presets.add(preset(color))
  expect(presets.$presets.get()).toHaveLength(MAX_TOOL_PRESETS)
  expect(presets.$presets.get()).not.toContainEqual(preset(0))
})

test.each(['no json', '{}', '[null, 5, {"instrument":"arrow","color":0,"width":7,"stay":"two"}]'])(
  'unreadable presets are ignored: %s',
  text => {
    stored.set('tool-presets', text)
    expect(createToolPresets().$presets.get()).toEqual([])
  },
)

test('without storage, presets last as long as the page', () => {
  vi.stubGlobal('localStorage', undefined)
  const presets = createToolPresets()
  presets.add(preset(2))
  expect(presets.$presets.get()).toEqual([preset(2)])
})
