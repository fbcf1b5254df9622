import { BadgeAlert, ChevronRight, CircleDollarSign, MessageCircleReply, MessageSquareText, Send, Upload, UserRoundX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTold } from '../../client/told.ts'
import { feedbackOf, type Read } from '../../folders/read-marks.ts'
import { sessionPath } from '../../folders/urls.ts'
import { cx } from '../../ui/cx.ts'
import { money } from '../../ui/money.tsx'
import type { Need } from './needs.ts'

const day = (at: string, timeZone: string | undefined) =>
  new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone }).format(new Date(at))

/** Icon, what it is, and what to do about it. Clay: now. Sky: when you like. */
function words(
  need: Need,
  read: Read,
  zone: string | undefined,
): { icon: typeof Send; urgent: boolean; title: ReactNode; text: string; to: string } {
  const to = `/player/folder/${need.folder}`
  switch (need.kind) {
    case 'failed':
      return {
        icon: BadgeAlert,
        urgent: true,
        title: `Payment for ${need.name} did not go through`,
        text: need.payment.failure?.message ?? 'Choose another card to pay.',
        to: `${to}#pay`,
      }
    case 'overdue':
      return {
        icon: CircleDollarSign,
        urgent: true,
        title: `${money(need.payment.total)} for ${need.name} is overdue`,
        text: 'Pay it to assign another folder.',
        to: `${to}#pay`,
      }
    case 'due': {
      const known = read.includes(feedbackOf(need.payment.id))
      return {
        icon: known ? CircleDollarSign : MessageSquareText,
        urgent: true,
        title: known ? `${money(need.payment.total)} for ${need.name}` : `${need.payment.instructorName} sent feedback on ${need.name}`,
        text: `${known ? 'Pay when you are ready.' : `Read it, then pay ${money(need.payment.total)}.`} Your card is charged on ${day(need.payment.due, zone)} if you have not by then.`,
        to: known ? `${to}#pay` : to,
      }
    }
    case 'feedback':
      return {
        icon: MessageSquareText,
        urgent: true,
        title: `${need.instructor} sent feedback on ${need.name}`,
        text: 'Press play and the notes come with it.',
        to,
      }
    case 'declined':
      return {
        icon: UserRoundX,
        urgent: true,
        title: `${need.instructor} could not take ${need.name}`,
        text: 'Read why, and choose another instructor if you like.',
        to,
      }
    case 'answer':
      return {
        icon: MessageCircleReply,
        urgent: true,
        title: `${need.instructor} answered your question`,
        text: `About ${need.name}.`,
        to: `${sessionPath('player', need.folder, need.session)}#question`,
      }
    case 'upload':
      return {
        icon: Upload,
        urgent: true,
        title: `${need.file} has not finished uploading`,
        text: `Go to ${need.name} to go on where it stopped.`,
        to,
      }
    case 'assign':
      return { icon: Send, urgent: false, title: `${need.name} is ready to assign`, text: 'Pick an instructor to get feedback.', to }
  }
}

/** So many show at once. */
export const MOST = 4

/** What needs the player now; nothing at all where there is nothing. `read`: what they have seen. */
export function NeedsMe({ needs, read }: { needs: Need[]; read: Read }) {
  const zone = useTold()?.zone
  if (!needs.length) return null
  return (
    <section aria-labelledby="needs" className="mb-8">
      <h2 id="needs" className="mb-3 text-18">
        What needs you now
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-paper">
        {needs.slice(0, MOST).map(need => {
          const { icon: Icon, urgent, title, text, to } = words(need, read, zone)
          return (
            <li key={need.folder}>
              <a href={to} className="group flex min-h-16 items-center gap-3 p-3 hover:bg-ink-wash sm:gap-4 sm:p-4">
                <span
                  className={cx(
                    'grid size-10 shrink-0 place-items-center rounded-full',
                    urgent ? 'bg-clay-wash text-clay' : 'bg-sky-wash text-sky',
                  )}
                >
                  <Icon aria-hidden="true" size={20} strokeWidth={1.75} />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block font-medium wrap-anywhere group-hover:underline">{title}</span>
                  <span className="block text-14 text-ink-2">{text}</span>
                </span>
                <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0 text-ink-2" />
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
