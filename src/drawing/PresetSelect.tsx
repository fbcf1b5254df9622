import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { CompactSelect } from '../ui/compact-select.tsx'
import { isSelectionTool } from './current-tool.ts'
import type { DrawingToolbarCommands } from './drawing-toolbar-commands.ts'
import { SHAPE_DURATIONS, type ShapeDuration } from './shape-duration.ts'
import type { ShapeEditor } from './shape-editor.ts'
import { createToolPresets, isSamePreset, type ToolPreset } from './tool-presets.ts'
import { TOOLBAR_TOOLS } from './toolbar-tools.ts'

/** A name such as "Gold arrow, thick, 1 second". */
const presetName = ({ instrument, color, width, stay }: ToolPreset, names: Record<'colors' | 'widths', Record<number, string>>) => {
  const tool = TOOLBAR_TOOLS.find(([its]) => its === instrument)?.[2] ?? instrument
  return `${names.colors[color] ?? ''} ${tool.toLowerCase()}, ${names.widths[width]?.toLowerCase()}, ${SHAPE_DURATIONS[stay].label}`
}

/** Selects one of the instructor's presets (a tool with its color, width and duration), or adds or removes the current one. */
export function PresetSelect({
  shapeEditor,
  acts,
  stay,
  names,
}: {
  shapeEditor: ShapeEditor
  acts: DrawingToolbarCommands
  stay: ShapeDuration
  names: Record<'colors' | 'widths', Record<number, string>>
}) {
  const [store] = useState(createToolPresets)
  const presets = useStore(store.$presets)
  const [instrument, color, width] = [useStore(shapeEditor.$instrument), useStore(shapeEditor.$color), useStore(shapeEditor.$width)]
  const current = instrument && !isSelectionTool(instrument) && instrument !== 'laser' ? { instrument, color, width, stay } : undefined
  const chosen = current ? presets.findIndex(preset => isSamePreset(preset, current)) : -1

  function choose(value: string) {
    if (value === 'keep' && current) return store.add(current)
    if (value === 'remove' && current) return store.remove(current)
    const preset = presets[Number(value)]
    if (!preset) return
    shapeEditor.choose(preset.instrument)
    shapeEditor.$color.set(preset.color)
    shapeEditor.$width.set(preset.width)
    acts.setDuration(preset.stay)
  }
  return (
    <CompactSelect
      label="Presets"
      value={chosen < 0 ? 'none' : String(chosen)}
      onChange={choose}
      options={[
        ...(chosen < 0 ? [['none', 'Presets'] as const] : []),
        ...presets.map((preset, i) => [String(i), presetName(preset, names)] as const),
        ...(current ? [chosen < 0 ? (['keep', 'Keep this tool as a preset'] as const) : (['remove', 'Remove this preset'] as const)] : []),
      ]}
      className="max-w-32 truncate"
    />
  )
}
