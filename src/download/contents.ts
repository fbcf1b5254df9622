import type { Folder } from '../../modules/folders/contract.ts'
import type { Shape } from '../../modules/reviews/contract.ts'
import { clipsOfReview, comparisonTitle, findPair, type NamedClip } from '../comparison/named-clips.ts'
import type { InkColors } from '../drawing/paint-shape.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'
import { createUrlRenewer } from '../folders/url-renewer.ts'
import { createFrameGrabber } from '../player/frame-grabber.ts'
import { fetchMedia, fetchTimeline } from '../player/source.ts'
import { dateFormatter } from '../ui/date-formatter.ts'
import { type ComparedOnPaper, momentsOf } from './compared.ts'
import { videoNames } from './file-name.ts'
import { type PacedOnPaper, pacedOf } from './paced.ts'
import { still } from './stills.ts'
import { subtitles } from './subtitles.ts'
import { videoFile } from './video-file.ts'

/** A file of the zip. */
export interface Item {
  name: string
  input: string | Uint8Array | Blob | ReadableStream<Uint8Array>
  size?: number
}

const ENDINGS = { 'audio/mp4': 'm4a', 'audio/webm': 'webm', 'audio/ogg': 'ogg' } as const

const PLACES =
  'Places are whole numbers from 0 to 10,000 across and down the picture as shown: the first as it is, the others as steps from the one before.'
const DONE = `What was shown and drawn meanwhile: an action begins with its millisecond; "stroke" names a drawing, and the milliseconds between its points follow. ${PLACES}`

// Not from the cache, where what a <video> asked for lies without leave for scripts.
const bytes = async (url: string, signal: AbortSignal) => (await fetchMedia(url, { signal, cache: 'no-store' })).body!

/**
 * All that a session was, file by file and one at a time: the videos (to their player as they were uploaded), the notes as subtitles beside
 * them, the drawings as data and as pictures, what was said, and the sheet to print.
 * @throws Unfetched
 */
export async function* contents(folder: Folder, session: ReviewedSession, inks: InkColors, signal: AbortSignal): AsyncGenerator<Item> {
  const { review, clips } = session
  const nameOf = videoNames(clips)
  const pictures = new Map<string, ArrayBuffer>()
  const paced: PacedOnPaper[] = []
  yield { name: 'Read me.txt', input: guide(folder, session) }

  for (const clip of clips) {
    const name = nameOf.get(clip.id)!
    const file = videoFile(clip, name)
    if (file) yield { name: `Videos/${file.name}`, input: await bytes(file.url, signal), size: file.bytes }
    const notes = review.notes.filter(n => n.video === clip.id)
    const times = await fetchTimeline(clip, signal)
    const swings = pacedOf(review.checkpoints ?? [], clip, times)
    paced.push(...swings)
    // Players show subtitles that lie beside the video under its name.
    if (notes.length) yield { name: `Videos/${name.replace(/\.[^.]*$/, '')}.vtt`, input: subtitles(notes, times) }
    if (!notes.length && !swings.length) continue

    const frames = createFrameGrabber(clip, createUrlRenewer(folder.id, session.id), signal)
    try {
      for (const note of notes) {
        const number = review.notes.indexOf(note) + 1
        const on = note.shapes ?? []
        const printed = await still(frames, note, on, inks, 'image/jpeg')
        if (printed) pictures.set(note.id, await printed.arrayBuffer())
        for (const frame of new Set(on.map(s => s.from))) {
          const picture = await still(frames, { frame, at: note.at }, on, inks, 'image/png')
          if (picture) yield { name: `Drawings/Note ${number}, frame ${frame + 1}.png`, input: picture }
        }
      }
      for (const step of swings.flatMap(s => s.steps)) {
        const printed = await still(frames, { frame: step.frame, at: 0 }, [], inks, 'image/jpeg')
        if (printed) step.picture = await printed.arrayBuffer()
      }
    } finally {
      frames.dispose()
    }
  }

  for (const [i, { id, video, frame, milliseconds, actions, shapes }] of (review.voices ?? []).entries()) {
    const note = review.notes.findIndex(n => n.voice === id)
    const name = `Voice-overs/${i + 1}, about ${note < 0 ? 'the whole' : `note ${note + 1}`}`
    const spoken = session.voices.find(v => v.id === id)
    if (spoken?.url) yield { name: `${name}.${ENDINGS[spoken.type]}`, input: await bytes(spoken.url, signal) }
    const shown = { video: nameOf.get(video), frame, milliseconds, actions, shapes }
    yield { name: `${name}.json`, input: JSON.stringify({ about: DONE, ...shown }, null, 2) }
  }

  const compared: ComparedOnPaper[] = []
  const named = clipsOfReview(folder.id, session)
  // What is drawn upon a comparison lies on a clip of it, which may be of another session.
  const onSides: { id: string; title: string; clip: NamedClip['clip']; shapes: Shape[] }[] = []
  for (const [i, comparison] of (review.comparisons ?? []).entries()) {
    const { id, title, sides } = comparison
    const pair = findPair(comparison, named)
    const times = pair ? await Promise.all(pair.map(({ clip }) => fetchTimeline(clip, signal))) : []
    const moments: ComparedOnPaper['moments'] = pair
      ? momentsOf(comparison, pair, times).map(frames => pair.map(({ label: of }, which) => ({ of, frame: frames[which]! })))
      : []
    for (const [which, { video, shapes = [] }] of sides.entries()) {
      const clip = named.find(n => n.clip.id === video)?.clip
      if (!clip) continue
      if (shapes.length) onSides.push({ id, title, clip, shapes })
      const frames = createFrameGrabber(clip, createUrlRenewer(folder.id, session.id), signal)
      try {
        for (const frame of new Set(shapes.map(s => s.from))) {
          const picture = await still(frames, { frame, at: 0 }, shapes, inks, 'image/png')
          const name = `Comparison ${i + 1}, ${which ? 'second' : 'first'} clip, frame ${frame + 1}`
          if (picture) yield { name: `Drawings/${name}.png`, input: picture }
        }
        for (const both of moments) {
          const side = both[which]!
          const picture = await still(frames, { frame: side.frame, at: 0 }, shapes, inks, 'image/jpeg')
          if (picture) side.picture = await picture.arrayBuffer()
        }
      } finally {
        frames.dispose()
      }
    }
    compared.push({ title: comparisonTitle(comparison, pair), moments })
  }

  const drawn = review.notes.filter(n => n.shapes?.length)
  if (drawn.length || onSides.length)
    yield {
      name: 'Drawings/drawings.json',
      input: JSON.stringify(
        {
          about: PLACES,
          notes: drawn.map(({ id, video, frame, until, shapes }) => ({ id, video: nameOf.get(video), frame, until, shapes })),
          comparisons: onSides.map(({ id, title, clip, shapes }) => ({ id, title, video: nameOf.get(clip.id) ?? clip.name, shapes })),
        },
        null,
        2,
      ),
    }
  // The program that writes it is large; it comes when it is wanted.
  const { sheet } = await import('./sheet.ts')
  yield { name: 'Feedback.pdf', input: await sheet({ folder, session, stills: pictures, paced, compared }) }
}

const date = dateFormatter({ dateStyle: 'long' })

const guide = ({ name, player }: Folder, { instructor, given, clips }: ReviewedSession) =>
  `${name}\n${player.name} with ${instructor.name}${given ? `, ${date(new Date(given))}` : ''}

Feedback.pdf   everything that was said, to read or to print
Videos         ${clips.every(c => c.url === null) ? 'the videos as they were prepared for watching' : 'your videos as they were uploaded'}; the .vtt beside each holds its notes as subtitles
Drawings       each drawing on its frame, and all of them as data
Voice-overs    what was said aloud, if anything was; beside it, as data, what was shown and drawn meanwhile
`
