import { Go, type House, type Letter, Say, Title, Words } from './frame.tsx'

/** To the player: the instructor cannot take the folder. */
export const declined = (
  p: { player: string; instructor: string; folder: string; folderId: string; reason: string },
  { origin }: House,
): Letter => ({
  subject: `${p.instructor} cannot take your folder`,
  preview: 'Nothing was charged. You can send it to another instructor.',
  body: (
    <>
      <Title>Your folder came back</Title>
      <Say>Hi {p.player},</Say>
      <Say>
        {p.instructor} cannot review "{p.folder}" this time:
      </Say>
      <Words>{p.reason}</Words>
      <Say>Nothing was charged, and your videos are all still there. You can assign the folder to another instructor.</Say>
      <Go href={`${origin}/player/folder/${p.folderId}`}>Choose another instructor</Go>
    </>
  ),
})
