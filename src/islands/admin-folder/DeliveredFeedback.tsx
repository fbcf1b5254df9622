import type { ReactNode } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { BeforeAfter } from '../../comparison/BeforeAfter.tsx'
import { About } from '../../feedback/About.tsx'
import { useMoments } from '../../feedback/moments.ts'
import { Read } from '../../feedback/Read.tsx'
import { Watch } from '../../feedback/Watch.tsx'
import { COLUMNS } from '../../folders/columns.ts'
import type { ReviewedSession } from '../../folders/reviewed-session.ts'

/** A review that was delivered, played and read as its player does. */
export function Given({ folder, session, story }: { folder: Folder; session: ReviewedSession; story: ReactNode }) {
  const { jump, show } = useMoments()
  const { question, about, answer, message } = session
  const said = (who: string, words: string) => (
    <div>
      <p className="text-14 font-medium">{who}</p>
      <p className="max-w-measure wrap-anywhere whitespace-pre-line">{words}</p>
    </div>
  )
  return (
    <div className={COLUMNS}>
      <div className="min-w-0 lg:col-span-2">
        <Watch folder={folder.id} session={session} jump={jump} />
        <BeforeAfter folder={folder.id} session={session} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 sm:gap-6">
        <Read session={session} />
        {(message || question) && (
          <section aria-labelledby="said" className="flex flex-col gap-4 rounded-card border border-line bg-paper p-4 sm:p-6">
            <h2 id="said" className="text-18">
              What else was said
            </h2>
            {message && said(folder.player.name, message)}
            {question && said(folder.player.name, question)}
            {about && <About about={about} clips={session.clips} onShow={show} />}
            {answer && said(session.instructor.name, answer)}
          </section>
        )}
      </div>
      {story}
    </div>
  )
}
