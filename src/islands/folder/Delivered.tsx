import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import type { Folder, Moment } from '../../../modules/folders/contract.ts'
import { refresh, useQuery } from '../../client/query.ts'
import type { User } from '../../client/session.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Failed } from '../../ui/state.tsx'
import { sentence } from '../command.ts'
import { BeforeAfter } from '../compare/BeforeAfter.tsx'
import { TakeAlong } from '../pack/TakeAlong.tsx'
import { Bill } from '../payments/Bill.tsx'
import { Paid } from '../payments/Paid.tsx'
import { PayPanel } from '../payments/PayPanel.tsx'
import { sessionPath } from './address.ts'
import { toQuestion, useMoments } from './moments.ts'
import { Question } from './Question.tsx'
import { Read } from './Read.tsx'
import { Story } from './Story.tsx'
import { feedbackOf, markRead } from './seen.ts'
import { PLACES } from './Waits.tsx'
import { type Reviewed, Watch } from './Watch.tsx'

/** The bill follows the feedback within moments, and the folder its payment; until then, ask again. */
const AGAIN = 1500

/** A session with its feedback: watch it, read it, ask, pay. `next`: the next step, where it is not paying; `children` come last. */
export function Delivered({
  folder,
  session,
  user,
  columns,
  next,
  children,
}: {
  folder: Folder
  session: Reviewed
  user: User
  columns: string
  next: ReactNode
  children: ReactNode
}) {
  const billing = useQuery('GET /api/billing')
  const payment = billing.data?.payments.find(p => p.id === session.id)
  const open = session.status === 'feedback-given'
  const coming = open && billing.data && !payment
  const { retry } = billing
  const behind = open && payment?.status === 'paid'
  useEffect(() => {
    if (!coming && !behind) return
    const timer = setInterval(coming ? retry : () => refresh('GET /api/folders/{folder}'), AGAIN)
    return () => clearInterval(timer)
  }, [coming, behind, retry])

  useEffect(() => markRead(feedbackOf(session.id)), [session.id])

  const { jump, show } = useMoments()
  const [about, setAbout] = useState<Moment>()
  const mayAsk = !session.question && folder.status !== 'archived'
  const ask = (moment: Moment) => {
    setAbout(moment)
    toQuestion()
  }

  const settled = payment && !['due', 'failed', 'processing'].includes(payment.status)
  return (
    <div className={columns}>
      <div className="min-w-0 max-lg:order-3 lg:col-span-2">
        <Watch folder={folder.id} session={session} jump={jump} {...(mayAsk && { onAsk: ask })} />
        <BeforeAfter folder={folder.id} session={session} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 max-lg:contents sm:gap-6">
        <Read session={session} places={PLACES} progress="/player/progress" />
        <div className="flex flex-col gap-4 empty:hidden max-lg:order-6 sm:gap-6">
          <Question folder={folder.id} session={session} readOnly={folder.status === 'archived'} about={about} onShow={show} />
          {children}
        </div>
      </div>
      <div className="flex min-w-0 flex-col gap-4 max-lg:contents sm:gap-6">
        <div className="flex flex-col gap-4 empty:hidden max-lg:order-5 sm:gap-6">
          {payment && !settled && (
            <PayPanel key={payment.id} payment={payment} cards={billing.data!.cards} back={sessionPath('player', folder.id, session.id)} />
          )}
          {payment && settled && <Paid payment={payment} />}
          {open && !payment && !billing.error && <Skeleton className="h-96" />}
          {open && !payment && billing.error && <Failed title="The price did not load" error={sentence(billing.error)} retry={retry} />}
        </div>
        {!open && next && <div className="max-lg:order-5">{next}</div>}
        <div className="flex flex-col gap-4 max-lg:order-7 sm:gap-6">
          <TakeAlong folder={folder} session={session} />
          <Story folder={folder} reader="player" you={user.id} />
        </div>
      </div>
      {payment && !settled && (
        <div className="contents max-lg:[&>*]:order-8">
          <Bill payment={payment} />
        </div>
      )}
    </div>
  )
}
