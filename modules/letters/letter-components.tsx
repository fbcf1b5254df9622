import type { CSSProperties, ReactNode } from 'react'
import { Body, Button, Column, Container, Head, Hr, Html, Link, Preview, Row, Section, Text } from 'react-email'
import { DEFAULT_TIME_ZONE } from '../time-zone-default-and-validation.ts'

/** Details of the sender, for use in letters. `origin` is the public URL of the site, without a trailing slash. */
export interface SenderDetails {
  name: string
  tagline: string
  origin: string
  supportEmail: string
}

/** The permanent URL of a session's page. */
export const sessionLink = (origin: string, recipient: 'player' | 'instructor', of: { folderId: string; session: string }) =>
  `${origin}/${recipient}/folder/${of.folderId}?session=${of.session}`

/**
 * A letter without its layout. `preview` is what an inbox shows next to the subject. The recipient's address may be unconfirmed, so a
 * subject contains names and numbers, but no free text by other people.
 */
export interface LetterContent {
  subject: string
  preview: string
  body: ReactNode
}

const MAX_PREVIEW_LENGTH = 120
/** The beginning of a text, for `preview`. It never ends with half of an emoji, which an inbox would show as a replacement character. */
export const truncateForPreview = (text: string) => text.slice(0, MAX_PREVIEW_LENGTH).replace(/[\ud800-\udbff]$/, '')

// CSS variables do not work in emails, so the design system's light colors are repeated here and its dark ones below.
const color = { chalk: '#faf8f3', paper: '#ffffff', ink: '#14201a', soft: '#55625b', line: '#dfdbd0', field: '#14532d', clay: '#b4491f' }
/** Light colors are inline styles, because many mail programs read nothing else. To override them, dark colors need `!important`. */
const DARK_COLORS = `@media (prefers-color-scheme: dark) {
  .chalk, .chalk > table > tbody > tr > td { background-color: #0e1512 !important }
  .paper { background-color: #16201b !important; border-color: #2a3731 !important }
  .ink { color: #f2f0ea !important }
  .soft { color: #a9b5ae !important }
  .field { color: #34a06a !important }
  .clay { color: #e2743f !important }
  .button { background-color: #34a06a !important; color: #0e1512 !important }
  .quote { border-color: #e2743f !important }
  .line { border-color: #2a3731 !important }
  .sum { border-color: #f2f0ea !important }
}`
const font = 'Archivo, -apple-system, "Segoe UI", Roboto, Arial, sans-serif'
const plain: CSSProperties = { margin: '0 0 16px', fontFamily: font, fontSize: '16px', lineHeight: '24px', color: color.ink }

export const Paragraph = ({ children }: { children: ReactNode }) => (
  <Text className="ink" style={plain}>
    {children}
  </Text>
)

export const LetterTitle = ({ children }: { children: ReactNode }) => (
  <Text className="ink" style={{ ...plain, margin: '0 0 16px', fontSize: '24px', lineHeight: '30px', fontWeight: 700 }}>
    {children}
  </Text>
)

/** The button for the one action of a letter. */
export const LetterButton = ({ href, children }: { href: string; children: ReactNode }) => (
  <Section style={{ margin: '8px 0 24px' }}>
    <Button
      href={href}
      className="button"
      style={{
        backgroundColor: color.field,
        color: '#ffffff',
        borderRadius: '10px',
        padding: '14px 24px',
        fontFamily: font,
        fontSize: '16px',
        lineHeight: '20px',
        fontWeight: 600,
        textDecoration: 'none',
        textAlign: 'center',
      }}
    >
      {children}
    </Button>
  </Section>
)

/** Text that a person wrote, with its line breaks. */
export const QuotedText = ({ children }: { children: string }) => (
  <Section className="quote" style={{ margin: '0 0 16px', borderLeft: `3px solid ${color.clay}`, paddingLeft: '16px' }}>
    <Text className="ink" style={{ ...plain, margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </Section>
)

/** A bill: one line per item with its amount; the last line is the total. */
export const BillTable = ({ lines }: { lines: { label: string; cents: number }[] }) => (
  <Section style={{ margin: '0 0 16px' }}>
    {lines.map(({ label, cents }, i) => {
      const last = i === lines.length - 1
      const cell: CSSProperties = { ...plain, ...(last && { fontWeight: 700 }) }
      return (
        <Row key={label} className={last ? 'sum' : 'line'} style={{ borderTop: `1px solid ${last ? color.ink : color.line}` }}>
          <Column className="ink" style={{ ...cell, padding: '8px 16px 8px 0' }}>
            {label}{' '}
          </Column>
          <Column
            align="right"
            className="ink"
            style={{ ...cell, padding: '8px 0', whiteSpace: 'nowrap', verticalAlign: 'top', fontVariantNumeric: 'tabular-nums' }}
          >
            {formatLetterMoney(cents)}
          </Column>
        </Row>
      )
    })}
  </Section>
)

export const LetterLayout = ({
  letter,
  sender,
  unsubscribeToken,
}: {
  letter: LetterContent
  sender: SenderDetails
  unsubscribeToken?: string | undefined
}) => (
  <Html lang="en">
    <Head>
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <title>{letter.subject}</title>
      <style>{DARK_COLORS}</style>
    </Head>
    <Preview>{letter.preview}</Preview>
    <Body className="chalk" style={{ margin: 0, padding: '24px 12px', backgroundColor: color.chalk }}>
      <Container style={{ maxWidth: '560px', margin: '0 auto' }}>
        <Text className="field" style={{ ...plain, margin: '0 0 16px', fontSize: '18px', fontWeight: 700, color: color.field }}>
          <Link href={sender.origin} className="field" style={{ color: color.field, textDecoration: 'none' }}>
            <span className="clay" style={{ color: color.clay }}>
              ◆
            </span>{' '}
            {sender.name}
          </Link>
        </Text>
        <Section
          className="paper"
          style={{ backgroundColor: color.paper, border: `1px solid ${color.line}`, borderRadius: '12px', padding: '28px 20px 12px' }}
        >
          {letter.body}
        </Section>
        {/* Only the plain text shows this line. In HTML, the card's border separates the footer; an <Hr> would be white in dark mode. */}
        <Hr style={{ borderTop: 'none', margin: '8px 0' }} />
        <Text className="soft" style={{ ...plain, fontSize: '13px', lineHeight: '20px', color: color.soft }}>
          {sender.tagline}
          <br />
          Questions? Write to{' '}
          <Link href={`mailto:${sender.supportEmail}`} className="soft" style={{ color: color.soft }}>
            {sender.supportEmail}
          </Link>
          {unsubscribeToken && (
            <>
              <br />
              <Link
                href={`${sender.origin}/unsubscribe?token=${unsubscribeToken}`}
                className="soft"
                style={{ color: color.soft, textDecoration: 'underline' }}
              >
                Stop reminders like this one
              </Link>
            </>
          )}
        </Text>
      </Container>
    </Body>
  </Html>
)

export const formatLetterMoney = (cents: number) => `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`

/**
 * Creates a function that formats a time (ISO 8601) as a date in the recipient's time zone. For a calendar day, pass its noon in the
 * default zone and no time zone: a day alone means midnight UTC, which in New York is the day before.
 */
const dated =
  (more: Intl.DateTimeFormatOptions) =>
  (iso: string, timeZone = DEFAULT_TIME_ZONE): string =>
    new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone, ...more }).format(new Date(iso))
/** "Sunday, March 8" */
export const formatDateWithoutYear = dated({})
/** "Sunday, March 8, 2026" */
export const formatDate = dated({ year: 'numeric' })
