import { render } from 'react-email'
import { type LetterContent, LetterLayout, type SenderDetails } from './letter-components.tsx'

/** Renders a letter as an email. `unsubscribeToken` is the recipient's; it is absent for letters that cannot be turned off. */
export async function composeEmail(
  letter: LetterContent,
  sender: SenderDetails,
  unsubscribeToken?: string,
): Promise<{ subject: string; html: string; text: string; headers?: Record<string, string> }> {
  const page = <LetterLayout letter={letter} sender={sender} unsubscribeToken={unsubscribeToken} />
  // RFC 8058: the mail program shows its own unsubscribe button.
  const headers = unsubscribeToken && {
    'List-Unsubscribe': `<${sender.origin}/api/unsubscribe/${unsubscribeToken}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  const [html, text] = await Promise.all([render(page), render(page, { plainText: true })])
  // Names that were stored before names were limited to one line may contain line breaks.
  return { subject: letter.subject.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '), html, text, ...(headers && { headers }) }
}
