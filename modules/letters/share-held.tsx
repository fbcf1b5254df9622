import { Go, type House, type Letter, money, Say, Title } from './frame.tsx'

/** To the instructor: a player has paid, and the share waits for the payout account. `waiting` is all that waits, this share included. */
export const shareHeld = (
  p: { player: string; instructor: string; folder: string; share: number; waiting: number; started: boolean },
  { origin }: House,
): Letter => ({
  subject: `${p.started ? 'Finish setting' : 'Set'} up payouts to receive ${money(p.waiting)}`,
  preview: 'It is kept for you until then.',
  body: (
    <>
      <Title>{money(p.share)} is waiting for you</Title>
      <Say>Hi {p.instructor},</Say>
      <Say>
        {p.player} paid for your feedback on "{p.folder}". Your share is {money(p.share)}
        {p.waiting > p.share && `, and ${money(p.waiting)} in all is waiting for you now`}.
      </Say>
      <Say>
        We cannot send it yet, because {p.started ? 'your payout account lacks a few details' : 'you have no payout account yet'}.{' '}
        {p.started ? 'Add them' : 'Set it up'} in about three minutes, and the money goes out by itself.
      </Say>
      <Go href={`${origin}/instructor/payments`}>{p.started ? 'Finish setting up payouts' : 'Set up payouts'}</Go>
    </>
  ),
})
