import { atom } from 'nanostores'
import { vi } from 'vitest'
import type { Draft, Session, Video } from '../../modules/folders/contract.ts'
import type { Shape } from '../../modules/reviews/contract.ts'
import { emptyDraft } from '../../src/draft/merge-drafts.ts'
import { fullViewport } from '../../src/drawing/viewport.ts'
import type { StudioStore } from '../../src/islands/review/studio-store.ts'
import { createStudioVoice } from '../../src/islands/review/voice/studio-voice.ts'

const CLIP = { id: 'swing', width: 100, height: 100 } as Video
/** How long the recorder counts down after the button is pressed. */
const COUNTDOWN_MS = 3000

/** Creates the `studioVoice` of a studio with one clip and a fake player. Requires fake timers. `draft`: what the draft contains. */
export function createTestStudioVoice(draft: Partial<Draft> = {}) {
  const $draft = atom<Draft>({ ...emptyDraft, ...draft })
  const $frame = atom(0)
  const $dialog = atom<ReturnType<StudioStore['$dialog']['get']>>(undefined)
  const player = {
    $frame,
    $time: atom(0),
    $playing: atom(false),
    $speed: atom(1),
    $status: atom('ready'),
    setMuted: vi.fn(),
    adjustRate() {},
    notePosition: () => ({ at: $frame.get() * 33, frame: $frame.get() }),
    frameOf: (note: { frame?: number }) => note.frame,
    frameStart: (frame: number) => frame / 30,
  }
  const studio = {
    autosavedDraft: {
      $draft,
      $saveState: atom('saved'),
      change: (update: (draft: Draft) => Draft) => $draft.set(update($draft.get())),
    },
    player,
    $view: atom(fullViewport),
    $stageRecorder: atom(null),
    $dialog,
    $clips: atom([CLIP]),
    $clip: atom(CLIP),
    $clipId: atom(CLIP.id),
    $currentNoteId: atom(undefined),
    isLoading: () => false,
    requirePicture: () => true,
    showNote() {},
    showClip() {},
  } as unknown as StudioStore
  const studioVoice = createStudioVoice(studio, {
    folder: 'folder',
    session: () => ({ id: 'session', voices: [] }) as unknown as Session,
    shapeEditor: { $activeShape: atom<Shape | null>(null) } as never,
  })
  return {
    studioVoice,
    $draft,
    $dialog,
    player,
    /** Runs the timers until the countdown of a recording that was just started has ended. */
    countDown: () => vi.advanceTimersByTimeAsync(COUNTDOWN_MS),
    /** Runs the timers long enough for work in progress to end. */
    settle: () => vi.advanceTimersByTimeAsync(50),
  }
}
