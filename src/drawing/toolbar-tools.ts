import {
  Circle,
  DraftingCompass,
  Flashlight,
  Grid3x3,
  Hash,
  type LucideIcon,
  MousePointer2,
  MoveUpRight,
  Pencil as Pen,
  Pentagon,
  Ruler,
  SeparatorVertical,
  Slash,
  Spline,
  Square,
  Timer,
  TriangleRight,
  Type,
  Waypoints,
} from 'lucide-react'
import type { ToolbarTool } from './current-tool.ts'

/** The drawing tools in the order of the toolbar. `word` is shown below the icon where there is room. */
export const TOOLBAR_TOOLS: [tool: ToolbarTool, name: string, word: string, Icon: LucideIcon][] = [
  ['select', 'Select and move', 'Select', MousePointer2],
  ['follow', 'Follow motion, frame by frame', 'Follow', Waypoints],
  ['pen', 'Pen', 'Pen', Pen],
  ['line', 'Line', 'Line', Slash],
  ['arrow', 'Arrow', 'Arrow', MoveUpRight],
  ['circle', 'Circle', 'Circle', Circle],
  ['rectangle', 'Rectangle', 'Box', Square],
  ['angle', 'Angle', 'Angle', DraftingCompass],
  ['tilt', 'Angle to vertical or level', 'Tilt', TriangleRight],
  ['plumb', 'Plumb line', 'Plumb', SeparatorVertical],
  ['path', 'Path, frame by frame', 'Path', Spline],
  ['stopwatch', 'Stopwatch', 'Time', Timer],
  ['length', 'Length', 'Length', Ruler],
  ['zone', 'Strike zone', 'Zone', Grid3x3],
  ['plate', 'Home plate', 'Plate', Pentagon],
  ['grid', 'Grid', 'Grid', Hash],
  ['text', 'Text', 'Text', Type],
  ['laser', 'Laser pointer', 'Laser', Flashlight],
]
/** Hints for tools that need more than one press. */
export const TOOL_HINTS: Partial<Record<ToolbarTool, string>> = {
  angle: 'Drag along the first side to the corner, then click or tap where the second side ends.',
  path: 'Click or tap the ball, the hands or the barrel. Each point takes you to the next frame.',
  stopwatch: 'Click or tap where the timing starts, go to another frame, and click or tap again.',
  length: 'Drag along a known length first, then along what you want to measure.',
}
