import { Go, type House, type Letter, Say, sessionLink, Title, Words } from './frame.tsx'

const clock = (milliseconds: number) => {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** To the player: the feedback is here. `notes` only where the reader cannot open the folder. */
export const feedbackGiven = (
  p: {
    player: string
    instructor: string
    folder: string
    folderId: string
    session: string
    summary: string
    count: number
    notes?: { at: number; kind: string; text: string }[]
  },
  { origin }: House,
): Letter => ({
  subject: `${p.instructor} reviewed your folder`,
  preview: p.summary.slice(0, 120),
  body: (
    <>
      <Title>Your feedback is here</Title>
      <Say>Hi {p.player},</Say>
      <Say>
        {p.instructor} went through "{p.folder}" and left {p.count === 1 ? 'one note' : `${p.count} notes`} on your reps. In short:
      </Say>
      <Words>{p.summary}</Words>
      {p.notes?.map(note => (
        <Words key={`${note.at} ${note.text}`}>{`${clock(note.at)}, ${note.kind}: ${note.text}`}</Words>
      ))}
      <Go href={sessionLink(origin, 'player', p)}>Watch it with the notes</Go>
      <Say>Not sure what a note means? You can ask one question about this feedback, free of charge.</Say>
    </>
  ),
})
