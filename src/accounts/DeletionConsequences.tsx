import { countWithNoun } from '../../modules/format-cents-and-counts.ts'

/** Lists what the deletion of an account removes, and what we keep. */
export function DeletionConsequences({
  child,
  unusedSessions,
  openSessions = 0,
}: {
  /** The child's first name if a guardian deletes the child's account; undefined if the reader deletes their own. */
  child?: string
  unusedSessions: number
  /** How many sessions this person, as an instructor, has not delivered yet. */
  openSessions?: number
}) {
  const whose = child ? `${child}'s` : 'your'
  return (
    <>
      <div>
        <h3 className="text-16">What is deleted</h3>
        <ul className="list-disc pl-5 text-ink-2">
          <li>{whose} name, email, phone number, photo and password</li>
          <li>{whose} folders: videos, messages, and the feedback on them</li>
          <li>
            {whose} support requests, and the devices where {child ? `${child} is` : 'you are'} logged in
          </li>
          {unusedSessions > 0 && (
            <li>
              {countWithNoun(unusedSessions, 'session')} that you bought and {child ? `${child} has` : 'have'} not used
            </li>
          )}
          {openSessions > 0 && <li>{countWithNoun(openSessions, 'open session')}: the folders are returned to their players now</li>}
        </ul>
      </div>
      <div>
        <h3 className="text-16">What we keep</h3>
        <ul className="list-disc pl-5 text-ink-2">
          <li>amounts and dates of payments, without {whose} name, as tax law requires</li>
          {!child && <li>feedback you gave as an instructor: the players who paid for it keep it</li>}
          <li>emails that others have received</li>
        </ul>
      </div>
    </>
  )
}
