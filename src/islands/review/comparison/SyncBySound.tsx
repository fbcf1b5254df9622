import { AudioLines } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { LabeledClipPair } from '../../../comparison/labeled-clips.ts'
import { type ContactSoundResult, findContactSoundFramesOfClip } from '../../../technique/contact-sounds.ts'
import { Button } from '../../../ui/button.tsx'

type Outcome = { is: 'searching' } | { is: 'synced' } | { is: 'failed'; message: string }

const failureOf = (sounds: readonly ContactSoundResult[]) =>
  sounds.some(s => s.is === 'unprepared')
    ? 'You can search the sound once both videos are ready.'
    : 'We could not hear a hit in both videos. Find contact in each, then sync there.'

/** Syncs both clips on the most likely hit in the sound of each. This is a suggestion, which the instructor checks by eye. */
export function SyncBySound({
  pair,
  renew,
  onSync,
}: {
  pair: LabeledClipPair
  /** Fetches the clips with newly signed URLs. */
  renew: () => void
  onSync: (frames: readonly [number, number]) => void
}) {
  const [outcome, setOutcome] = useState<Outcome>()
  const unmounting = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    unmounting.current = controller
    return () => controller.abort()
  }, [])

  async function search() {
    const { signal } = unmounting.current
    setOutcome({ is: 'searching' })
    try {
      const sounds = await Promise.all(pair.map(({ clip }) => findContactSoundFramesOfClip(clip, signal)))
      if (signal.aborted) return
      const [a, b] = sounds.map(s => (s.is === 'found' ? s.frames[0] : undefined))
      if (a === undefined || b === undefined) return setOutcome({ is: 'failed', message: failureOf(sounds) })
      onSync([a, b])
      setOutcome({ is: 'synced' })
    } catch {
      if (signal.aborted) return
      // The signed URLs may have expired; the next try has new ones.
      renew()
      setOutcome({ is: 'failed', message: 'The sound did not load. Check your connection and try again.' })
    }
  }

  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        busy={outcome?.is === 'searching'}
        icon={<AudioLines aria-hidden="true" size={18} strokeWidth={1.75} />}
        onClick={() => void search()}
      >
        Sync by sound
      </Button>
      <p role="status" className="order-last basis-full text-13 text-ink-2 empty:hidden short:order-none short:shrink-0 short:basis-auto">
        {outcome?.is === 'synced' && 'Synced on the hit that is heard in both. Check it by eye.'}
        {outcome?.is === 'failed' && outcome.message}
      </p>
    </>
  )
}
