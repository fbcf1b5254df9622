import { FEEDBACK_TIME } from '../folders/policy.ts'
import { Go, type House, type Letter, Say, sessionLink, Title, Words } from './frame.tsx'

/** To the instructor: a folder waits for feedback. */
export const assigned = (
  p: { instructor: string; player: string; folder: string; folderId: string; session: string; videos: number; message: string | null },
  { origin }: House,
): Letter => ({
  subject: `${p.player} sent you a folder`,
  preview: `${p.videos === 1 ? 'One video is' : `${p.videos} videos are`} waiting for your eyes.`,
  body: (
    <>
      <Title>A folder is waiting for you</Title>
      <Say>Hi {p.instructor},</Say>
      <Say>
        {p.player} assigned you the folder "{p.folder}" with {p.videos === 1 ? 'one video' : `${p.videos} videos`}. Players usually hear
        back within {FEEDBACK_TIME}.
      </Say>
      {p.message && <Words>{p.message}</Words>}
      <Go href={sessionLink(origin, 'instructor', p)}>Open the folder</Go>
    </>
  ),
})
