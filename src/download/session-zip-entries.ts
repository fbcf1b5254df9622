import type { Folder } from '../../modules/folders/contract.ts'
import type { Shape } from '../../modules/reviews/contract.ts'
import { callApi } from '../client/api.ts'
import { comparisonTitle, type LabeledClip, labeledClipsOfComparison, labeledClipsOfReview } from '../comparison/labeled-clips.ts'
import type { InkColors } from '../drawing/ink-colors-from-theme.ts'
import { folderQueryInput } from '../folders/folder-page-urls-and-query.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { createUrlRenewer } from '../folders/video-url-renewer.ts'
import { fetchMedia, fetchTimeline } from '../player/clip-source.ts'
import { createFrameGrabber } from '../player/frame-grabber.ts'
import { readWithRenewedUrls } from '../player/read-with-renewed-urls.ts'
import { dateFormatter } from '../ui/date-formatter.ts'
import { framePairsToPrint, type PrintedComparison } from './comparison-frame-pairs-to-print.ts'
import { downloadableFileOf } from './downloadable-video.ts'
import { VOICE_FILE_EXTENSIONS, videoFileNames } from './file-names.ts'
import { createMissingGlyphRenderer } from './missing-glyph-renderer.ts'
import { notesAsWebVtt } from './notes-as-web-vtt.ts'
import { fetchPdfFontFiles } from './pdf-font-files.ts'
import { type PrintedTechnique, printedTechniqueOf } from './pdf-technique-data.ts'
import { renderStill } from './render-still.ts'

export interface ZipEntry {
  name: string
  input: string | Uint8Array | Blob | ReadableStream<Uint8Array>
  size?: number
}

const POINTS_EXPLAINED =
  'Points are whole numbers from 0 to 10,000 across and down the picture: the first as x and y, the others as differences from the previous one.'
const ACTIONS_EXPLAINED = `What was shown and drawn during the voice-over: each action begins with its millisecond; "stroke" names a drawing, followed by the milliseconds between its points. ${POINTS_EXPLAINED}`

// Bypasses the cache, which may contain the response to a <video> element's request. Scripts cannot read that response, because
// the request was made without CORS.
const fetchBytes = async (url: string, signal: AbortSignal) => (await fetchMedia(url, { signal, cache: 'no-store' })).body!

type SignedFiles = Pick<ReviewedSession, 'clips' | 'compared' | 'voices'>

/**
 * Fetches the session again, so that its files have newly signed URLs.
 * @throws ApiError if the server refuses, TypeError if it cannot be reached, Error if the session is no longer in its folder
 */
async function renewFiles(folder: string, id: string): Promise<SignedFiles> {
  const { session } = await callApi('GET /api/folders/{folder}', folderQueryInput(folder, id))
  if (!session) throw new Error('This session is no longer in its folder.')
  return session
}

/** Returns the entry for a clip in these files, whose URLs may be newer than the clip's own, or the clip itself if there is no entry. */
const clipIn = <C extends { id: string }>({ clips, compared }: SignedFiles, clip: C): C =>
  ([...clips, ...compared].find(c => c.id === clip.id) as C | undefined) ?? clip

/**
 * Yields the files of a session's zip one at a time: videos (the originals if the viewer has access to them), notes as subtitles,
 * drawings as data and pictures, voice-overs, and the feedback as a PDF.
 * @throws MediaFetchError if a video cannot be fetched
 */
export async function* sessionZipEntries(
  folder: Folder,
  session: ReviewedSession,
  inks: InkColors,
  signal: AbortSignal,
): AsyncGenerator<ZipEntry> {
  const { review, clips } = session
  const fileNames = videoFileNames(clips)
  const pictures = new Map<string, ArrayBuffer>()
  const techniques: PrintedTechnique[] = []
  // On a slow connection the download may take longer than signed URLs are valid. Once they are renewed, all later files use the new ones.
  let newest: SignedFiles = session
  const renew = async () => {
    newest = await renewFiles(folder.id, session.id)
    return newest
  }
  const fetchSigned = <T>(read: (files: SignedFiles) => Promise<T>) => readWithRenewedUrls(newest, renew, read)
  yield { name: 'Read me.txt', input: readMe(folder, session) }

  for (const clip of clips) {
    const name = fileNames.get(clip.id)!
    const file = downloadableFileOf(clip, name)
    if (file) {
      const urlIn = (files: SignedFiles) => downloadableFileOf(clipIn(files, clip), name)?.url ?? file.url
      yield {
        name: `Videos/${file.name}`,
        input: await fetchSigned(files => fetchBytes(urlIn(files), signal)),
        size: file.bytes,
      }
    }
    const notes = review.notes.filter(n => n.video === clip.id)
    const times = await fetchSigned(files => fetchTimeline(clipIn(files, clip), signal))
    const swings = printedTechniqueOf(review.checkpoints ?? [], clip, times)
    techniques.push(...swings)
    // A viewer without access to the original gets the rendition, whose timestamps begin at 0.
    const offset = clip.url === null && times ? times.start(0) : 0
    // Video players load a subtitle file that has the same name as the video.
    if (notes.length) yield { name: `Videos/${name.replace(/\.[^.]*$/, '')}.vtt`, input: notesAsWebVtt(notes, times, offset) }
    if (!notes.length && !swings.length) continue

    const frames = createFrameGrabber(clip, createUrlRenewer(folder.id, session.id), signal)
    try {
      for (const note of notes) {
        const number = review.notes.indexOf(note) + 1
        const on = note.shapes ?? []
        const printed = await renderStill(frames, note, on, inks, 'image/jpeg')
        if (printed) pictures.set(note.id, await printed.arrayBuffer())
        for (const frame of new Set(on.map(s => s.from))) {
          const picture = await renderStill(frames, { frame, at: note.at }, on, inks, 'image/png')
          if (picture) yield { name: `Drawings/Note ${number}, frame ${frame + 1}.png`, input: picture }
        }
      }
      for (const step of swings.flatMap(s => s.steps)) {
        const printed = await renderStill(frames, { frame: step.frame, at: 0 }, [], inks, 'image/jpeg')
        if (printed) step.picture = await printed.arrayBuffer()
      }
    } finally {
      frames.dispose()
    }
  }

  for (const [i, { id, video, frame, milliseconds, actions, shapes }] of (review.voices ?? []).entries()) {
    const note = review.notes.findIndex(n => n.voice === id)
    const name = `Voice-overs/${i + 1}, about ${note < 0 ? 'the whole review' : `note ${note + 1}`}`
    const spoken = session.voices.find(v => v.id === id)
    if (spoken?.url) {
      const urlIn = ({ voices }: SignedFiles) => voices.find(v => v.id === id)?.url ?? spoken.url!
      yield {
        name: `${name}.${VOICE_FILE_EXTENSIONS[spoken.type]}`,
        input: await fetchSigned(files => fetchBytes(urlIn(files), signal)),
      }
    }
    const shown = { video: fileNames.get(video), frame, milliseconds, actions, shapes }
    yield { name: `${name}.json`, input: JSON.stringify({ about: ACTIONS_EXPLAINED, ...shown }, null, 2) }
  }

  const compared: PrintedComparison[] = []
  const named = labeledClipsOfReview(folder.id, session)
  // Drawings on the clips of comparisons. These clips may be from other sessions.
  const onSides: { id: string; title: string; clip: LabeledClip['clip']; shapes: Shape[] }[] = []
  for (const [i, comparison] of (review.comparisons ?? []).entries()) {
    const { id, title, sides } = comparison
    const pair = labeledClipsOfComparison(comparison, named)
    const times = pair ? await Promise.all(pair.map(({ clip }) => fetchSigned(files => fetchTimeline(clipIn(files, clip), signal)))) : []
    const moments: PrintedComparison['moments'] = pair
      ? framePairsToPrint(comparison, pair, times).map(frames => pair.map(({ label: of }, which) => ({ of, frame: frames[which]! })))
      : []
    for (const [which, { video, mirrored, shapes = [] }] of sides.entries()) {
      const clip = named.find(n => n.clip.id === video)?.clip
      if (!clip) continue
      if (shapes.length) onSides.push({ id, title, clip, shapes })
      const frames = createFrameGrabber(clip, createUrlRenewer(folder.id, session.id), signal)
      try {
        for (const frame of new Set(shapes.map(s => s.from))) {
          const picture = await renderStill(frames, { frame, at: 0, mirrored }, shapes, inks, 'image/png')
          const name = `Comparison ${i + 1}, ${which ? 'second' : 'first'} clip, frame ${frame + 1}`
          if (picture) yield { name: `Drawings/${name}.png`, input: picture }
        }
        for (const both of moments) {
          const side = both[which]!
          const picture = await renderStill(frames, { frame: side.frame, at: 0, mirrored }, shapes, inks, 'image/jpeg')
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
          about: POINTS_EXPLAINED,
          notes: drawn.map(({ id, video, frame, until, shapes }) => ({ id, video: fileNames.get(video), frame, until, shapes })),
          comparisons: onSides.map(({ id, title, clip, shapes }) => ({ id, title, video: fileNames.get(clip.id) ?? clip.name, shapes })),
        },
        null,
        2,
      ),
    }
  // The PDF library is large, so it is loaded on demand.
  const [{ renderFeedbackPdf }, fonts] = await Promise.all([import('./feedback-pdf.ts'), fetchPdfFontFiles()])
  yield {
    name: 'Feedback.pdf',
    input: await renderFeedbackPdf({
      folder,
      session,
      stills: pictures,
      techniques,
      compared,
      fonts,
      missingGlyphRenderer: createMissingGlyphRenderer(),
    }),
  }
}

const date = dateFormatter({ dateStyle: 'long' })

const readMe = ({ name, player }: Folder, { instructor, given, clips }: ReviewedSession) =>
  `${name}\n${player.name} with ${instructor.name}${given ? `, ${date(new Date(given))}` : ''}

Feedback.pdf   the written feedback, to read or print
Videos         ${clips.every(c => c.url === null) ? 'the videos' : 'your original videos'}; the .vtt file of each has its notes as subtitles
Drawings       each drawing on its frame, and all of them as data
Voice-overs    the voice-overs, if there are any, with what was shown and drawn as data
`
