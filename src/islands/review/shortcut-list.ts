import { PLAYBACK_SPEEDS } from '../../player/playback-speeds.ts'

/** One or two keys, and what they do. `+` joins keys pressed together; a modifier of the first key also applies to the second. */
export type Shortcut = readonly [keys: readonly string[], does: string]

/** All keyboard shortcuts of the studio, as shown in the help dialog. */
export const SHORTCUT_SECTIONS: readonly { title: string; keys: readonly Shortcut[] }[] = [
  {
    title: 'Watching',
    keys: [
      [['Space', 'K'], 'Play or pause'],
      [[',', '.'], 'Previous / next frame (or the arrow keys)'],
      [['Shift+,', '.'], 'Ten frames back / forward'],
      [['J', 'L'], 'One second back / forward'],
      [['1', '5'], `Speed, from ${PLAYBACK_SPEEDS[0]}× to ${PLAYBACK_SPEEDS.at(-1)}×`],
      [['[', ']'], 'Previous / next video'],
      [['+', '−'], 'Zoom in / out; arrow keys then move the picture'],
      [['0'], 'Show the whole picture'],
    ],
  },
  {
    title: 'Notes',
    keys: [
      [['M'], 'New note at this frame (or double-click the strip)'],
      [['Enter'], 'Edit the current note'],
      [['/'], 'In a note: find a phrase or drill; Enter inserts it'],
      [['Alt+K'], 'In a note: change its kind'],
      [['Alt+D'], 'In a note: draw on the video'],
      [['Alt+P'], 'In a note: save it as a phrase'],
      [['Esc'], 'Leave the note; deletes it if it is empty'],
      [['V'], 'Start / stop a voice-over; play, stop and draw while you talk, and each stop can become a note'],
    ],
  },
  {
    title: 'Drawing',
    keys: [
      [['D'], 'Start / stop drawing'],
      [['Enter'], 'Start and end a line; arrow keys move the point'],
      [['F'], 'Follow motion: move the drawing in another frame; it follows along in the frames between'],
      [['Ctrl+Z'], 'Undo; redo with Shift'],
      [['Ctrl+C', 'V'], 'Copy drawings / paste them at this frame'],
      [['Delete'], 'Delete the selected drawing'],
      [['Esc'], 'Clear the selection, then stop drawing'],
    ],
  },
  {
    title: 'The review',
    keys: [
      [['Shift+1', '5'], 'Set a technique position at this frame'],
      [['Shift+[', ']'], 'Previous / next position'],
      [['C'], 'Compare with another clip, and back. In a comparison: D draws, 0 goes to the synced moment'],
      [['B'], 'Earlier sessions with this player; press again for the notes'],
      [['S'], 'Summary, goals and grades'],
      [['P'], 'All your phrases and drills'],
      [['Ctrl+Enter'], 'Deliver'],
      [['?'], 'Keyboard shortcuts'],
    ],
  },
]

/** Whether two keys mean a range of digits: '1' to '5'. */
export const isKeyRange = (keys: readonly string[]) => keys.length === 2 && keys.every(key => /\d$/.test(key))
