import type { Checked } from '../upload/check.ts'
import { codecName, type Probe, playsEverywhere } from './probe.ts'

export interface Verdict {
  tone: 'good' | 'careful' | 'bad'
  title: string
  /** Why, and what to do. */
  text: string
}

const remedy =
  'On an iPhone: Settings, Camera, Formats, Most Compatible; then film again. Or export the video as MP4 (H.264) and choose it again.'

/** Whether a file uploads and plays, with the reason and the remedy. */
export function verdict(checked: Checked, probe: Probe | undefined): Verdict {
  if ('refused' in checked) return { tone: 'bad', title: 'This file cannot be uploaded', text: checked.refused }
  if (!probe?.plays) {
    const codec = probe?.codec
    return codec && !playsEverywhere(codec)
      ? {
          tone: 'bad',
          title: 'It uploads, but does not play here',
          text: `The picture is ${codecName(codec)}, which this browser cannot show. ${remedy}`,
        }
      : {
          tone: 'bad',
          title: 'This video does not play',
          text: `The file may be damaged or not complete. Copy it again from the camera. ${remedy}`,
        }
  }
  if (probe.codec && !playsEverywhere(probe.codec)) {
    return {
      tone: 'careful',
      title: 'It uploads and plays here, but maybe not for your instructor',
      text: `The picture is ${codecName(probe.codec)}, which some browsers cannot show. ${remedy}`,
    }
  }
  return { tone: 'good', title: 'Good to go', text: 'This video uploads, and it plays for you and for your instructor.' }
}
