import type { VideoProperties } from '../../../modules/media/contract.ts'
import type { RefusalCode } from '../../../modules/media/preparation-process/media-refusal.ts'
import type { FileTypeOrRefusal } from '../../upload/check-file-size-and-type.ts'
import { containerRefusalMessage } from '../../upload/container-refusal-messages.ts'
import { codecName, hasCodecName } from '../../upload/format-video-properties.ts'
import { type FileAdviceItem, mediaAdvice } from '../../upload/media-advice.ts'

export interface FileVerdict {
  tone: 'good' | 'careful' | 'bad'
  title: string
  /** The reason, and what to do. */
  text: string
  /** Other advice about the file before it is uploaded. */
  advice: FileAdviceItem[]
}
/**
 * A file's metadata and the mean brightness of a still, 0 to 255, or null if unknown; whether the browser can play the file; and why the
 * server would refuse it, or null.
 */
export interface FileFindings {
  media: VideoProperties | null
  refused: RefusalCode | null
  plays: boolean
  brightness: number | null
}

const REMEDY =
  'On an iPhone: Settings, Camera, Formats, Most Compatible; then film again. Or export the video as MP4 (H.264) and choose it again.'

/** Whether a file can be uploaded and will play; if not, why, and what to do about it. */
export function fileVerdict(checked: FileTypeOrRefusal, found?: FileFindings): FileVerdict {
  const refusedWith = (text: string): FileVerdict => ({ tone: 'bad', title: 'This file cannot be uploaded', text, advice: [] })
  if ('refused' in checked) return refusedWith(checked.refused)
  if (!found) return refusedWith(REMEDY)
  const refusal = containerRefusalMessage(found.refused)
  if (refusal !== undefined) return refusedWith(refusal)
  const { media, plays } = found
  if (!plays && !media) {
    const text = `The file may be damaged or incomplete. Copy it again from the camera. ${REMEDY}`
    return { tone: 'bad', title: 'This video does not play', text, advice: [] }
  }
  if (!plays && media && !hasCodecName(media.codec)) {
    const text = `Its format is one that video editors use (${codecName(media.codec)}), and may not play for your instructor. ${REMEDY}`
    return { tone: 'careful', title: 'It uploads, but may not play', text, advice: [] }
  }
  const text = 'This video uploads, and it plays for you and for your instructor.'
  return { tone: 'good', title: 'Good to go', text, advice: mediaAdvice(media, found) }
}
