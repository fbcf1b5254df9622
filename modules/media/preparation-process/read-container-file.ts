import { stat } from 'node:fs/promises'
import { EncodedPacketSink, FilePathSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'
import { frameCount, frameTableUntil, frameTimeline } from '../frames.ts'
import { MAX_SOUND_PACKETS_PER_SECOND, MAX_SURPLUS_SOUND_PACKETS } from '../policy.ts'
import { type ContainerFacts, constantFrameRateOf, readContainer } from '../read-container.ts'
import { MediaRefusal } from './media-refusal.ts'
import { validateEditListAndReadEndSeconds } from './single-part-edit-list.ts'

/** Whether the machine caused this error. A file that could not be opened or read may still be valid. */
const isMachineError = (error: unknown) => typeof (error as NodeJS.ErrnoException).syscall === 'string'

/**
 * Reads a container without decoding anything. A hostile file can keep this busy forever or fill the memory, so it runs in a supervised
 * process.
 * @throws MediaRefusal, or the system's error if the file cannot be read
 */
export async function readContainerFile(path: string, type: string): Promise<ContainerFacts> {
  const input = new Input({ source: new FilePathSource(path), formats: type === 'video/webm' ? [WEBM, MATROSKA] : [MP4, QTFF] })
  try {
    const facts = await readContainer(input, type)
    const end = type === 'video/webm' ? null : await validateEditListAndReadEndSeconds(path, facts.tracks.video.id)
    const shown = end === null ? facts : endedAt(facts, end)
    await assertTracksFit(input, shown, (await stat(path)).size)
    return shown
  } catch (error) {
    throw error instanceof MediaRefusal || isMachineError(error) ? error : new MediaRefusal('damaged', error)
  } finally {
    input.dispose()
  }
}

/** A movie's clock has ticks of 1/600 s or shorter, so the end of an edit may be rounded by this much. */
const MAX_EDIT_ROUNDING_SECONDS = 1 / 600

/**
 * Leaves out the frames after the end of the edit, as in a video that was trimmed on a phone.
 * @throws MediaRefusal if fewer than two frames are left
 */
function endedAt(facts: ContainerFacts, seconds: number): ContainerFacts {
  const table = frameTableUntil(facts.table, (seconds - MAX_EDIT_ROUNDING_SECONDS) * facts.table.scale)
  const frames = frameCount(table)
  if (frames === frameCount(facts.table)) return facts
  if (frames < 2) throw new MediaRefusal('still')
  const rate = constantFrameRateOf(table)
  const milliseconds = Math.ceil(frameTimeline(table).seconds * 1000)
  return { ...facts, table, media: { ...facts.media, frames, milliseconds, rate, variable: rate === null } }
}

/** The maximum number of sound packets for a video of this length. */
export const maxSoundPackets = (seconds: number) => MAX_SURPLUS_SOUND_PACKETS + Math.ceil(seconds * MAX_SOUND_PACKETS_PER_SECOND)

/**
 * Refuses a file whose sample table points at the same few bytes a million times, which FFmpeg would decode a million times: no track may
 * hold more bytes than its file, and the sound no more than `maxSoundPackets`. Sound after the end of the picture does not count.
 * @throws MediaRefusal
 */
async function assertTracksFit(input: Input, { starts, picture, table }: ContainerFacts, fileBytes: number) {
  if (picture.bytes > fileBytes) throw new MediaRefusal('damaged', `pictures of ${picture.bytes} bytes in a file of ${fileBytes}`)
  if (starts.audio === null) return
  const { seconds, start } = frameTimeline(table)
  const most = maxSoundPackets(seconds)
  const track = await input.getPrimaryAudioTrack()
  let [packets, bytes] = [0, 0]
  try {
    for await (const packet of new EncodedPacketSink(track!).packets(undefined, undefined, { metadataOnly: true })) {
      if (packet.timestamp > start(0) + seconds) break
      packets++
      bytes += packet.byteLength
      if (packets > most) throw new MediaRefusal('sound', `more than ${most} packets of sound beside ${seconds} s of pictures`)
      if (bytes > fileBytes) throw new MediaRefusal('sound', `sound of more than ${fileBytes} bytes in a file that has no more`)
    }
  } catch (error) {
    // Any other error means that the sound is damaged; the rendition has the sound up to the damage.
    if (error instanceof MediaRefusal || isMachineError(error)) throw error
  }
}
