import { render } from 'react-email'
import { CopyContext, type Letter, LetterLayout, type Sender } from './layout.tsx'

/** A letter as it is sent. `copyOf` is the first name of the player whose guardian reads along. */
export async function composeEmail(
  letter: Letter,
  house: Sender,
  copyOf?: string,
): Promise<{ subject: string; html: string; text: string }> {
  const notice = copyOf && `You get this copy because you are ${copyOf}'s parent or guardian.`
  const page = (
    <CopyContext value={copyOf !== undefined}>
      <LetterLayout letter={letter} house={house} notice={notice} />
    </CopyContext>
  )
  const [html, text] = await Promise.all([render(page), render(page, { plainText: true })])
  const subject = copyOf ? `${copyOf} on ${house.name}: ${letter.subject}` : letter.subject
  // Names from before they were held to one line.
  return { subject: subject.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '), html, text }
}
