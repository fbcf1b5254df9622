import { render } from 'react-email'
import { type Letter, LetterLayout, type Sender } from './layout.tsx'

/** A letter as it is sent. */
export async function composeEmail(letter: Letter, house: Sender): Promise<{ subject: string; html: string; text: string }> {
  const page = <LetterLayout letter={letter} house={house} />
  const [html, text] = await Promise.all([render(page), render(page, { plainText: true })])
  // Names from before they were held to one line.
  return { subject: letter.subject.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '), html, text }
}
