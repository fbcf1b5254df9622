import { Go, type House, type Letter, Say, sessionLink, Title, Words } from './frame.tsx'

/** To the player: the instructor's answer. */
export const answer = (
  p: { player: string; instructor: string; folder: string; folderId: string; session: string; question: string; answer: string },
  { origin }: House,
): Letter => ({
  subject: `${p.instructor} answered your question`,
  preview: p.answer.slice(0, 120),
  body: (
    <>
      <Title>Your question is answered</Title>
      <Say>Hi {p.player},</Say>
      <Say>You asked about "{p.folder}":</Say>
      <Words>{p.question}</Words>
      <Say>{p.instructor} says:</Say>
      <Words>{p.answer}</Words>
      <Go href={sessionLink(origin, 'player', p)}>Open the folder</Go>
    </>
  ),
})
