import type { ModelClipDetails } from '../../modules/model-clips/contract.ts'

/** A clip of an instructor's library. `clip`: its file in `clips`, without the extension. `file`: the name under which it is uploaded. */
interface DemoModelClip extends ModelClipDetails {
  clip: string
  file: string
}

/** The library of the instructor whose queue the demo shows. */
export const demoModelClips: DemoModelClip[] = [
  { title: 'Closed at foot strike', skill: 'hitting', side: 'right', angle: 'side', clip: 'swing', file: 'model-swing.mp4' },
  { title: 'Delivery from the stretch', skill: 'pitching', side: 'right', angle: 'side', clip: 'delivery', file: 'model-delivery.mov' },
]
