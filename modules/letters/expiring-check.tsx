import { formatDate, LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/** To the instructor, before a check expires. `check`: its name, such as "background check"; `expires`: its last day, `YYYY-MM-DD`. */
export const expiringCheckLetter = (
  p: { instructor: string; check: string; expires: string },
  { origin, supportEmail }: SenderDetails,
): LetterContent => {
  // 17:00 UTC is around noon in the default time zone, so the calendar day stays the same.
  const lastDay = formatDate(`${p.expires}T17:00:00.000Z`)
  return {
    subject: `Your ${p.check} expires soon`,
    preview: `It expires on ${lastDay}.`,
    body: (
      <>
        <LetterTitle>Time to renew your {p.check}</LetterTitle>
        <Paragraph>Hi {p.instructor},</Paragraph>
        <Paragraph>
          According to our records, your {p.check} expires on {lastDay}. After that day, players under 18 cannot send you new folders until
          we have recorded a newer one. Folders that you already have stay with you.
        </Paragraph>
        <LetterButton href={`${origin}/support`}>Tell us about the new one</LetterButton>
        <Paragraph>Already renewed it? Write to {supportEmail}, and we will record it.</Paragraph>
      </>
    ),
  }
}
