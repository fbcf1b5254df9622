import type { ProgressSession } from '../../../modules/progress/contract.ts'
import { sessionPath } from '../folder/address.ts'
import { Poster } from '../folder/Poster.tsx'
import { firstAndNewest, type Skill } from './story.ts'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/** The first and the newest session about a skill, side by side. */
export function FirstAndNewest({ sessions, skill }: { sessions: readonly ProgressSession[]; skill: Skill }) {
  const pair = firstAndNewest(sessions, skill)
  if (!pair) return null
  return (
    <section aria-labelledby={`swings-${skill}`} className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h3 id={`swings-${skill}`} className="text-16">
        First and newest
      </h3>
      <div className="mt-4 grid grid-cols-2 gap-3">
        {[pair.first, pair.newest].map(({ session }, i) => (
          <a key={session.id} href={sessionPath('player', session.folder, session.id)} className="group block rounded-field">
            <Poster src={session.poster} className="rounded-field" />
            <span className="mt-2 block text-14 font-medium group-hover:underline">{i === 0 ? 'First' : 'Newest'}</span>
            <span className="block truncate text-14">{session.name}</span>
            <span className="block text-13 text-ink-2">{day.format(new Date(session.given))}</span>
          </a>
        ))}
      </div>
    </section>
  )
}
