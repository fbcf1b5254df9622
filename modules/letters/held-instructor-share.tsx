import { formatLetterMoney, LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/**
 * To the instructor: a player has paid, and we hold the share until payouts are set up. `waiting`: the sum of all held shares in cents,
 * including this one. `started`: the instructor has begun to set up payouts. `checking`: the provider has all details and is checking them.
 * `isAccountClosed`: we closed the account, so the instructor cannot log in to set up payouts.
 */
export const heldInstructorShareLetter = (
  p: {
    player: string
    instructor: string
    folder: string
    share: number
    waiting: number
    started: boolean
    checking?: boolean
    isAccountClosed?: boolean
  },
  { origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: p.checking
    ? `${formatLetterMoney(p.waiting)} is waiting while Stripe checks your details`
    : p.isAccountClosed
      ? `${formatLetterMoney(p.waiting)} is waiting for you`
      : `${p.started ? 'Finish setting' : 'Set'} up payouts to receive ${formatLetterMoney(p.waiting)}`,
  preview: p.isAccountClosed ? 'We hold it for you.' : 'We hold it for you until then.',
  body: (
    <>
      <LetterTitle>{formatLetterMoney(p.share)} is waiting for you</LetterTitle>
      <Paragraph>Hi {p.instructor},</Paragraph>
      <Paragraph>
        {p.player} paid for your feedback on "{p.folder}". Your share is {formatLetterMoney(p.share)}
        {p.waiting > p.share && `, and a total of ${formatLetterMoney(p.waiting)} is waiting for you now`}.
      </Paragraph>
      <Paragraph>
        {p.checking
          ? 'Stripe, our payment provider, is still checking your details. There is nothing for you to do: we will send the money automatically once the check is done.'
          : p.isAccountClosed
            ? `Your account is closed, so you cannot set up payouts yourself. Write to ${supportEmail}, and we will tell you how to receive it.`
            : `We cannot send it yet, because ${p.started ? 'your payout account is missing a few details' : 'you do not have a payout account yet'}. ${p.started ? 'Add them' : 'Set it up'} in about three minutes, and we will send the money automatically.`}
      </Paragraph>
      {!p.isAccountClosed && (
        <LetterButton href={`${origin}/instructor/payments`}>
          {p.checking ? 'Open your earnings' : p.started ? 'Finish setting up payouts' : 'Set up payouts'}
        </LetterButton>
      )}
    </>
  ),
})
