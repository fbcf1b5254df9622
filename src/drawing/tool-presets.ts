import { atom } from 'nanostores'
import { STROKE_WIDTHS, type ToolbarTool } from './current-tool.ts'
import { SHAPE_DURATIONS, type ShapeDuration } from './shape-duration.ts'

/** A tool with its color, width and duration, saved by an instructor for reuse. */
export interface ToolPreset {
  instrument: ToolbarTool
  color: number
  width: number
  stay: ShapeDuration
}

/** localStorage key; `src/client/account-data-on-device.ts` deletes it with the account's other data. */
const STORAGE_KEY = 'tool-presets'
export const MAX_TOOL_PRESETS = 8

export const isSamePreset = (a: ToolPreset, b: ToolPreset) =>
  a.instrument === b.instrument && a.color === b.color && a.width === b.width && a.stay === b.stay

/** Whether a stored value is a preset that this version supports; another version may have stored other widths or durations. */
const isPreset = (value: unknown): value is ToolPreset => {
  const { instrument, color, width, stay } = (value ?? {}) as Record<string, unknown>
  return (
    typeof instrument === 'string' &&
    Number.isInteger(color) &&
    STROKE_WIDTHS.some(known => known === width) &&
    typeof stay === 'string' &&
    stay in SHAPE_DURATIONS
  )
}

function readPresets(): ToolPreset[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPreset).slice(0, MAX_TOOL_PRESETS) : []
  } catch {
    return []
  }
}

/** The presets on this device, the newest first. Without storage, they last until the page is closed. */
export function createToolPresets() {
  const $presets = atom<readonly ToolPreset[]>(readPresets())
  const write = (presets: readonly ToolPreset[]) => {
    $presets.set(presets)
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(presets))
    } catch {
      // The storage is full or blocked. The presets still work until the page is closed.
    }
  }
  const without = (preset: ToolPreset) => $presets.get().filter(other => !isSamePreset(other, preset))
  return {
    $presets,
    /** Adds a preset at the front, or moves an equal one there, and drops the last one if there are too many. */
    add: (preset: ToolPreset) => write([preset, ...without(preset)].slice(0, MAX_TOOL_PRESETS)),
    remove: (preset: ToolPreset) => write(without(preset)),
  }
}
