import { PLAYBACK_SPEEDS } from '../../player/speeds.ts'

/** A key, or two that belong together, and what they do. Keys pressed at once are joined by `+`; the second of two takes the same ones along. */
export type Shortcut = readonly [keys: readonly string[], does: string]

/** Every key of the studio, as the help shows them. */
export const SHORTCUT_SECTIONS: readonly { title: string; keys: readonly Shortcut[] }[] = [
  {
    title: 'Watching',
    keys: [
      [['Space', 'K'], 'Play or pause'],
      [[',', '.'], 'One frame back, forward'],
      [['Shift+,', '.'], 'Ten frames back, forward'],
      [['J', 'L'], 'One second back, forward'],
      [['1', '5'], `Speed, from ${PLAYBACK_SPEEDS[0]}× to ${PLAYBACK_SPEEDS.at(-1)}×`],
      [['[', ']'], 'The video before, the next one'],
      [['+', '−'], 'Zoom in, out; then the arrow keys move the picture'],
      [['0'], 'Show the whole picture'],
    ],
  },
  {
    title: 'Notes',
    keys: [
      [['M'], 'New note at this frame'],
      [['Enter'], 'Write on in the note shown'],
      [['/'], 'In a note: find a phrase or a drill, Enter puts it in'],
      [['Alt+K'], 'In a note: its next kind'],
      [['Alt+D'], 'In a note: draw on the picture'],
      [['Alt+P'], 'In a note: keep it as a phrase'],
      [['Esc'], 'Leave the note; an empty one goes'],
      [['V'], 'Record a voice-over; again to stop'],
    ],
  },
  {
    title: 'Drawing',
    keys: [
      [['D'], 'Take the pencil, or put it away'],
      [['Enter'], 'Begin and end a line; arrow keys move the point'],
      [['Ctrl+Z'], 'Undo; with Shift, redo'],
      [['Ctrl+C', 'V'], 'Copy drawings, paste them at this frame'],
      [['Delete'], 'Delete the drawing that is chosen'],
      [['Esc'], 'Let go of what is chosen, then of the pencil'],
    ],
  },
  {
    title: 'The review',
    keys: [
      [['Shift+1', '5'], 'Set a position of the technique at this frame'],
      [['Shift+[', ']'], 'To the position before, after'],
      [['C'], 'Compare with another clip, and back; there D draws on both, 0 goes to the synced moment'],
      [['B'], 'Earlier sessions with this player, and back to the notes'],
      [['S'], 'Summary, goals and grades'],
      [['P'], 'All your phrases and drills'],
      [['Ctrl+Enter'], 'Deliver'],
      [['?'], 'These keys'],
    ],
  },
]

/** The first and the last of several, not two. */
export const isKeyRange = (keys: readonly string[]) => keys.length === 2 && keys.every(key => /\d$/.test(key))
