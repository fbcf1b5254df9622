import { formatDate, LetterButton, type LetterContent, LetterTitle, Paragraph, type SenderDetails } from './letter-components.tsx'

/** To a person whose data export is ready. Only that person can download the file, after signing in. */
export const exportReadyLetter = (
  p: { name: string; until: string; timeZone: string },
  { name, origin, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `Your ${name} data is ready to download`,
  preview: `You can download it until ${formatDate(p.until, p.timeZone)}.`,
  body: (
    <>
      <LetterTitle>Your data is ready</LetterTitle>
      <Paragraph>Hi {p.name},</Paragraph>
      <Paragraph>
        You asked for a copy of the data we have about you. It is one zip file, which is on your account page until{' '}
        {formatDate(p.until, p.timeZone)}. After that we delete it, and you can ask for a new one.
      </Paragraph>
      <LetterButton href={`${origin}/account#your-data`}>Download my data</LetterButton>
      <Paragraph>Not you? Choose a new password, or write to {supportEmail}.</Paragraph>
    </>
  ),
})

/** To the guardian who requested everything that we store about a child; `url` signs in and opens the child's page. */
export const childExportReadyLetter = (
  p: { guardian: string; player: string; url: string; until: string; timeZone: string },
  { name, supportEmail }: SenderDetails,
): LetterContent => ({
  subject: `${p.player}'s ${name} data is ready to download`,
  preview: `You can download it until ${formatDate(p.until, p.timeZone)}.`,
  body: (
    <>
      <LetterTitle>{p.player}'s data is ready</LetterTitle>
      <Paragraph>Hi {p.guardian},</Paragraph>
      <Paragraph>
        You asked for a copy of everything we store about {p.player}. It is one zip file, available on {p.player}'s page until{' '}
        {formatDate(p.until, p.timeZone)}. After that we delete it, and you can ask for another one.
      </Paragraph>
      <LetterButton href={p.url}>Open {p.player}'s page</LetterButton>
      <Paragraph>Not you? Write to {supportEmail}.</Paragraph>
    </>
  ),
})
