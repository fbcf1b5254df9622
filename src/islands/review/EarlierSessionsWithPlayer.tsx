import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import type { ProgressSession } from '../../../modules/progress/contract.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { folderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import { GOAL_STATE_DISPLAY } from '../../folders/goals.ts'
import { NOTE_KIND_DISPLAY, sortNotes } from '../../folders/notes.ts'
import { afterNextPaint } from '../../ui/after-next-paint.ts'
import { capitalize } from '../../ui/capitalize.ts'
import { cx } from '../../ui/cx.ts'
import { CardError } from '../../ui/empty-and-error-states.tsx'
import { formatClockHundredths } from '../../ui/format-duration-and-size.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { PlayerProgress } from './PlayerProgress.tsx'

/** The review of an earlier session, fetched when its row is opened. */
function EarlierReview({ folder, session }: { folder: string; session: string }) {
  const { data, error, retry } = useQuery('GET /api/folders/{folder}', folderQueryInput(folder, session))
  const earlier = data?.session
  if (!earlier?.review) {
    if (error) return <CardError className="p-3" error={errorMessage(error)} retry={retry} />
    return (
      <LoadingRegion label="Loading the session" className="flex flex-col gap-2 p-3">
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-16 w-full" />
      </LoadingRegion>
    )
  }
  const { review, clips } = earlier
  return (
    <div className="flex flex-col gap-4 p-3">
      <p className="wrap-anywhere whitespace-pre-line">{review.summary}</p>
      {!!review.goals?.length && (
        <ul aria-label="Goals" className="flex flex-col gap-1">
          {review.goals.map(goal => (
            <li key={goal.id} className="flex items-baseline justify-between gap-3 text-14">
              <span className="wrap-anywhere">{goal.text}</span>
              <span className={cx('shrink-0 rounded-full border px-2 text-13 font-medium', GOAL_STATE_DISPLAY[goal.state].on)}>
                {GOAL_STATE_DISPLAY[goal.state].label}
              </span>
            </li>
          ))}
        </ul>
      )}
      {review.notes.length > 0 && (
        <ol aria-label="Notes" className="flex flex-col gap-2">
          {sortNotes(review.notes, clips).map(note => (
            <li key={note.id} className="text-14">
              <span className="flex gap-2 text-13 font-medium">
                <span className={NOTE_KIND_DISPLAY[note.kind].text}>{NOTE_KIND_DISPLAY[note.kind].label}</span>
                <span className="text-ink-2 tabular-nums">
                  {clips.length > 1 && `Video ${clips.findIndex(c => c.id === note.video) + 1}, `}
                  {formatClockHundredths(note.at)}
                </span>
              </span>
              {note.text ? (
                <span className="block wrap-anywhere whitespace-pre-line">{note.text}</span>
              ) : (
                <span className="block text-ink-2">{note.shapes?.length ? 'Drawing on the video' : 'Voice-over'}</span>
              )}
            </li>
          ))}
        </ol>
      )}
      {earlier.question && (
        <p className="text-14 wrap-anywhere whitespace-pre-line">
          <span className="block text-13 font-medium text-ink-2">Asked</span>
          {earlier.question}
          {earlier.answer && <span className="mt-1 block border-l-2 border-field pl-3">{earlier.answer}</span>}
        </p>
      )}
    </div>
  )
}

/** A row for an earlier session that expands to its review. */
function EarlierSessionItem({ session, open, onToggle }: { session: ProgressSession; open: boolean; onToggle: () => void }) {
  return (
    <li className="rounded-field border border-line bg-paper">
      <button
        type="button"
        aria-expanded={open}
        data-session={session.id}
        onClick={onToggle}
        className="flex min-h-14 w-full items-center gap-3 rounded-field px-3 py-2 text-left hover:bg-ink-wash"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{session.name}</span>
          <span className="block text-13 text-ink-2">
            <RelativeTime at={session.given} />
            {session.grades.map(g => ` · ${capitalize(g.skill)} ${g.grade}`)}
          </span>
        </span>
        <ChevronDown
          aria-hidden="true"
          size={18}
          strokeWidth={1.75}
          className={cx('shrink-0 text-ink-2 transition-transform', open && 'rotate-180')}
        />
      </button>
      {open && (
        <div className="border-t border-line">
          <EarlierReview folder={session.folder} session={session.id} />
        </div>
      )}
    </li>
  )
}

const firstNameOf = (name: string) => name.split(' ')[0]

/** The earlier sessions of this player with this instructor, and the player's progress. */
export function EarlierSessionsWithPlayer({ player }: { player: Folder['player'] }) {
  const { data, error, retry } = useQuery('GET /api/players/{player}/progress', { params: { player: player.id } })
  const [open, setOpen] = useState<string>()
  const list = useRef<HTMLOListElement>(null)
  const hasLoaded = data !== undefined
  // If the list was opened with its keyboard shortcut, nothing has the focus, so its first row takes it.
  useEffect(() => {
    if (hasLoaded && document.activeElement === document.body) list.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [hasLoaded])
  if (!data) {
    if (error) return <CardError error={errorMessage(error)} retry={retry} />
    return (
      <LoadingRegion label="Loading the earlier sessions" className="flex flex-col gap-2">
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
      </LoadingRegion>
    )
  }
  const { sessions } = data
  if (!sessions.length) {
    return <p className="text-ink-2">This is your first session with {firstNameOf(player.name)}. Earlier sessions will appear here.</p>
  }
  const show = (session: string) => {
    setOpen(session)
    afterNextPaint().then(() => list.current?.querySelector<HTMLElement>(`[data-session="${session}"]`)?.focus())
  }
  return (
    <div className="flex flex-col gap-5">
      <ol ref={list} aria-label={`Sessions with ${firstNameOf(player.name)}`} className="flex flex-col gap-2">
        {sessions.toReversed().map(session => (
          <EarlierSessionItem
            key={session.id}
            session={session}
            open={session.id === open}
            onToggle={() => setOpen(session.id === open ? undefined : session.id)}
          />
        ))}
      </ol>
      <PlayerProgress progress={data} onOpen={show} />
    </div>
  )
}
