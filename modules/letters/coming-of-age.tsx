import { formatDate, LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/** A player and their 18th birthday. */
interface ComingOfAge {
  player: string
  /** `YYYY-MM-DD` */
  day: string
}
// 17:00 UTC is around noon in the default time zone, so the calendar day stays the same.
const dateOf = (day: string) => formatDate(`${day}T17:00:00.000Z`)

/** To a player, `COMING_OF_AGE_NOTICE_DAYS` before they turn 18. */
export const comingOfAgeNoticeLetter = ({ player, day }: ComingOfAge, { name, origin }: SenderDetails): LetterContent => ({
  subject: `On ${dateOf(day)} your ${name} account is all yours`,
  preview: 'What changes when you turn 18.',
  body: (
    <>
      <LetterTitle>Your account is about to be all yours</LetterTitle>
      <Paragraph>Hi {player},</Paragraph>
      <Paragraph>
        You turn 18 on {dateOf(day)}. From that day you decide what you assign, and you pay for it yourself; sessions that you sent before
        stay on your parent or guardian's bill. Your parent or guardian will no longer see your sessions, and cards saved in your account
        before that day will be removed. After that, add your own card to assign your next folder.
      </Paragraph>
      <Paragraph>Your folders, feedback and progress stay as they are.</Paragraph>
      <LetterButton href={`${origin}/account`}>Open your account</LetterButton>
    </>
  ),
})

/** To the guardian of a player, `COMING_OF_AGE_NOTICE_DAYS` before the player turns 18. `url` signs in and opens the family page. */
export const guardianComingOfAgeNoticeLetter = (
  { guardian, player, day, url }: ComingOfAge & { guardian: string; url: string },
  { name }: SenderDetails,
): LetterContent => ({
  subject: `On ${dateOf(day)} ${player}'s ${name} account becomes ${player}'s own`,
  preview: `What changes when ${player} turns 18.`,
  body: (
    <>
      <LetterTitle>{player} turns 18 soon</LetterTitle>
      <Paragraph>Hi {guardian},</Paragraph>
      <Paragraph>
        Starting {dateOf(day)}, the account will be {player}'s own. You will no longer see the sessions, your card will not be charged for
        new ones, and requests waiting for your answer will end. Sessions that were sent to an instructor before that day, and feedback that
        has not been paid for yet, stay on your bill.
      </Paragraph>
      <Paragraph>Is there anything you want to keep? You can read and print every session until then.</Paragraph>
      <LetterButton href={url}>Open your family page</LetterButton>
    </>
  ),
})
