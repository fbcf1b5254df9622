import { Go, type House, type Letter, Say, sessionLink, Title, Words } from './frame.tsx'

/** To the instructor: the player's one question about the feedback. */
export const question = (
  p: { instructor: string; player: string; folder: string; folderId: string; session: string; question: string },
  { origin }: House,
): Letter => ({
  subject: `${p.player} has a question about your feedback`,
  preview: p.question.slice(0, 120),
  body: (
    <>
      <Title>A question about your feedback</Title>
      <Say>Hi {p.instructor},</Say>
      <Say>
        {p.player} read your feedback on "{p.folder}" and asks:
      </Say>
      <Words>{p.question}</Words>
      <Go href={sessionLink(origin, 'instructor', p)}>Answer</Go>
    </>
  ),
})
