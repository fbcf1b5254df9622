import { BadgeAlert, ChevronRight, CircleDollarSign, MessageCircleReply, MessageSquareText, Send, Upload, UserRoundX } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import { sessionPath } from '../../folders/folder-page-urls-and-query.ts'
import { feedbackReadMark, type ReadMarks } from '../../folders/read-marks.ts'
import { useHydrationSafeTimeZone } from '../../page-load/preloaded-page-data-context.ts'
import { cx } from '../../ui/cx.ts'
import { dateFormatter } from '../../ui/date-formatter.ts'
import type { ActionItem, AutomaticReturnCause } from './action-items.ts'

const formatDay = dateFormatter({ weekday: 'short', month: 'short', day: 'numeric' })

const ASSIGN_AFTER_CONSENT = 'Read why. You can assign it again once your parent or guardian agrees.'
/** What a player can do after a folder came back, by cause; `instructor`: the instructor declined. */
const WHAT_NEXT_AFTER_RETURN: Record<AutomaticReturnCause | 'instructor', string> = {
  instructor: 'Read why, and choose another instructor if you like.',
  'consent-withdrawn': ASSIGN_AFTER_CONSENT,
  'guardian-changed': ASSIGN_AFTER_CONSENT,
  'account-closed': 'Your account is open again, so you can assign it again.',
}

/** How an item looks: icon, color, title, text and link. Urgent items are clay, the others sky. */
function presentationOf(
  item: ActionItem,
  read: ReadMarks,
  timeZone: string | undefined,
): { icon: typeof Send; urgent: boolean; title: ReactNode; text: string; to: string } {
  const to = `/player/folder/${item.folder}`
  switch (item.kind) {
    case 'failed':
      return {
        icon: BadgeAlert,
        urgent: true,
        title: `Payment for ${item.name} did not go through`,
        text: item.payment.failure?.message ?? 'Choose another card to pay.',
        to: `${to}#pay`,
      }
    case 'overdue':
      return {
        icon: CircleDollarSign,
        urgent: true,
        title: `${formatCents(item.payment.total)} for ${item.name} is overdue`,
        text: 'Pay it to assign another folder.',
        to: `${to}#pay`,
      }
    case 'due': {
      const known = read.includes(feedbackReadMark(item.payment.id))
      return {
        icon: known ? CircleDollarSign : MessageSquareText,
        urgent: true,
        title: known
          ? `${formatCents(item.payment.total)} for ${item.name}`
          : `${item.payment.instructorName} sent feedback on ${item.name}`,
        text: `${known ? 'Pay when you are ready.' : `Read it, then pay ${formatCents(item.payment.total)}.`} If you have not paid by ${formatDay(new Date(item.payment.due), timeZone)}, your card will be charged.`,
        to: known ? `${to}#pay` : to,
      }
    }
    case 'feedback':
      return {
        icon: MessageSquareText,
        urgent: true,
        title: `${item.instructor} sent feedback on ${item.name}`,
        text: 'Press play, and each note appears at its moment.',
        to,
      }
    case 'declined':
      return {
        icon: UserRoundX,
        urgent: true,
        title: item.cause ? `${item.name} came back from ${item.instructor}` : `${item.instructor} could not review ${item.name}`,
        text: WHAT_NEXT_AFTER_RETURN[item.cause ?? 'instructor'],
        to,
      }
    case 'answer':
      return {
        icon: MessageCircleReply,
        urgent: true,
        title: `${item.instructor} answered your question`,
        text: `About ${item.name}.`,
        to: `${sessionPath('player', item.folder, item.session)}#question`,
      }
    case 'upload':
      return {
        icon: Upload,
        urgent: true,
        title: `${item.file} has not finished uploading`,
        text: item.isLost ? `Open ${item.name} to choose its video again.` : `Open ${item.name} to pick up where it stopped.`,
        to,
      }
    case 'refused': {
      const isOne = item.refused === 1
      return {
        icon: BadgeAlert,
        urgent: true,
        title:
          item.refused === item.videos
            ? `None of the videos in ${item.name} can be played`
            : `${isOne ? 'A video' : `${item.refused} videos`} in ${item.name} cannot be played`,
        text: `Put ${isOne ? 'another one in its place' : 'others in their place'}, so that an instructor can review it.`,
        to: `${to}#refused-video`,
      }
    }
    case 'assign':
      return { icon: Send, urgent: false, title: `${item.name} is ready to assign`, text: 'Choose an instructor to get feedback.', to }
  }
}

export const MAX_ACTION_ITEMS_SHOWN = 4

/** What the player should do now, at most `MAX_ACTION_ITEMS_SHOWN` items; renders nothing if there is none. */
export function ActionItems({ items, read }: { items: ActionItem[]; read: ReadMarks }) {
  const timeZone = useHydrationSafeTimeZone()
  if (!items.length) return null
  return (
    <section aria-labelledby="action-items" className="mb-8">
      <h2 id="action-items" className="mb-3 text-18">
        Needs your attention
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-paper">
        {items.slice(0, MAX_ACTION_ITEMS_SHOWN).map(item => {
          const { icon: Icon, urgent, title, text, to } = presentationOf(item, read, timeZone)
          return (
            <li key={item.folder}>
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
