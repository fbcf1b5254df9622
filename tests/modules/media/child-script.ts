import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What `samples.mp4` holds, as the preparing process says it. */
const looked = {
  is: 'looked',
  media: {
    ...{ container: 'mp4', codec: 'avc', width: 320, height: 240, rotation: 0, milliseconds: 2000, frames: 60, rate: [30, 1] },
    ...{ variable: false, hdr: false, sound: false, captureRate: null },
  },
  table: { version: 1, scale: 600, first: 0, runs: [[60, 20]] },
}

/**
 * Writes a script that stands in for the one that opens a stranger's file: it says that it looks into it, and then does what `body` says.
 * There `say(word)` says a word, `task` is what it was told, `looked` the word of a film and `sleep(ms)` a pause.
 */
export async function childScript(dir: string, body: string, name = 'script'): Promise<string> {
  const path = join(dir, `${name}.mjs`)
  await writeFile(
    path,
    `import { writeFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    const task = JSON.parse(process.argv[2])
    const looked = ${JSON.stringify(looked)}
    const say = word => writeFileSync(1, JSON.stringify(word) + '\\n')
    say({ is: 'looking' })
    ${body}`,
  )
  return path
}
