/**
 * Speaks the demo's voice-over into src/demo/clips/foot-strike.m4a, with a pause after each sentence:
 * `node scripts/speak-demo-voice-over.mjs`. Requires flite and ffmpeg. The matching actions on the video are in
 * `src/demo/demo-sessions.ts`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const out = join(dirname(fileURLToPath(import.meta.url)), '../src/demo/clips/foot-strike.m4a')
const sentences = [
  'Watch this one with me, slowly.',
  'The knee comes up, and the hands go back with it. Good.',
  'Stop here. Your foot is down.',
  'And the front shoulder is still closed.',
  'Three weeks ago it had already left.',
  'Now let it go.',
  'The barrel works through the ball, and your head stays on it.',
  'That is contact. Leave it alone.',
]
const PAUSE_SECONDS = 0.345
const home = mkdtempSync(join(tmpdir(), 'voice-'))
const files = sentences.map((sentence, i) => {
  const file = join(home, `${i}.wav`)
  execFileSync('flite', ['-voice', 'slt', '-t', sentence, '-o', file])
  return file
})
const padded = files.map((_, i) => `[${i}:a]apad=pad_dur=${PAUSE_SECONDS}[s${i}]`)
const joined = `${files.map((_, i) => `[s${i}]`).join('')}concat=n=${files.length}:v=0:a=1,highpass=f=80,loudnorm=I=-18:TP=-2,aresample=24000[out]`
const encode = ['-map', '[out]', '-c:a', 'aac', '-b:a', '28k', '-movflags', '+faststart']
execFileSync('ffmpeg', [
  '-v',
  'error',
  '-y',
  ...files.flatMap(f => ['-i', f]),
  '-filter_complex',
  [...padded, joined].join(';'),
  ...encode,
  out,
])
rmSync(home, { recursive: true })
