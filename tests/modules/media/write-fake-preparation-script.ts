import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The message with the probe result of `sampleVideos.mp4`, as the child process sends it. */
const probed = {
  is: 'probed',
  media: {
    container: 'mp4',
    codec: 'avc',
    width: 320,
    height: 240,
    rotation: 0,
    milliseconds: 2000,
    frames: 60,
    rate: [30, 1],
    variable: false,
    hdr: false,
    sound: false,
    captureRate: null,
  },
  table: { version: 1, scale: 600, first: 0, runs: [[60, 20]] },
}

/**
 * Writes a script that replaces the process that opens untrusted files: it reports that it is probing, and then runs `body`. In `body`,
 * `send(message)` sends a message, `task` is the task, `probed` is the message with the probe result of a video, and `sleep(ms)` waits.
 */
export async function writeFakePreparationScript(dir: string, body: string, name = 'script'): Promise<string> {
  const path = join(dir, `${name}.mjs`)
  await writeFile(
    path,
    `import { writeFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    const task = JSON.parse(process.argv[2])
    const probed = ${JSON.stringify(probed)}
    const send = message => writeFileSync(1, JSON.stringify(message) + '\\n')
    send({ is: 'probing' })
    ${body}`,
  )
  return path
}
