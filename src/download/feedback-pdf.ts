import { PDFDocument, type RGB } from '@cantoo/pdf-lib'
import type { Session } from '../../modules/folders/contract.ts'
import { GOAL_STATE_DISPLAY } from '../folders/goals.ts'
import { gradeMeaning } from '../folders/grades.ts'
import { NOTE_KIND_DISPLAY, sortNotes } from '../folders/notes.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { site } from '../site.ts'
import { capitalize } from '../ui/capitalize.ts'
import { formatClockHundredths } from '../ui/format-duration-and-size.ts'
import type { PrintedComparison } from './comparison-frame-pairs-to-print.ts'
import { FIELD_GREEN_COLOR, GOLD_COLOR, INK_COLOR, LINE_COLOR, MUTED_INK_COLOR } from './pdf-colors.ts'
import type { PrintedTechnique } from './pdf-technique-data.ts'
import { drawTextLine, embedFonts, type MissingGlyphRenderer, type PdfFontFiles, textWidth, wrapText } from './pdf-text.ts'

/** US Letter, in points. */
const PAGE = { width: 612, height: 792, edge: 54 }
const TEXT_WIDTH = PAGE.width - 2 * PAGE.edge
const NOTE_PICTURE_WIDTH = 190
/** The gap between pictures that are side by side, in points. */
const PICTURE_GAP_POINTS = 12
const HALF_WIDTH = (TEXT_WIDTH - PICTURE_GAP_POINTS) / 2
/** A skill has at most five positions, side by side. */
const FIFTH_WIDTH = (TEXT_WIDTH - 4 * PICTURE_GAP_POINTS) / 5
const LINE_HEIGHT = 1.4
const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** `stills`: the JPEG of each note's frame, by note id. */
export interface FeedbackPdfInput {
  folder: { name: string; player: { name: string } }
  session: ReviewedSession
  stills: ReadonlyMap<string, ArrayBuffer>
  techniques: readonly PrintedTechnique[]
  compared: readonly PrintedComparison[]
  fonts: PdfFontFiles
  /** Draws characters that the fonts lack. */
  missingGlyphRenderer?: MissingGlyphRenderer | undefined
}

/**
 * Renders the feedback as a PDF: grades, summary, goals, each note next to its frame, positions with their times, comparisons, and the
 * player's question with its answer.
 */
export async function renderFeedbackPdf({
  folder,
  session,
  stills,
  techniques,
  compared,
  fonts,
  missingGlyphRenderer,
}: FeedbackPdfInput): Promise<Uint8Array> {
  const { review, instructor, given, clips } = session
  const document = await PDFDocument.create()
  const { regular, bold } = await embedFonts(document, fonts, missingGlyphRenderer)
  document.setTitle(`${folder.name}: feedback by ${instructor.name}`)
  document.setAuthor(instructor.name)
  document.setCreator(site.name)
  let page = document.addPage([PAGE.width, PAGE.height])
  /** Bottom of the last line, in points from the bottom of the page. */
  let y = PAGE.height - PAGE.edge

  const ensureRoom = (height: number) => {
    if (y - height >= PAGE.edge + 20) return
    page = document.addPage([PAGE.width, PAGE.height])
    y = PAGE.height - PAGE.edge
  }
  interface TextStyle {
    size?: number
    face?: typeof regular
    color?: RGB
    x?: number
    width?: number
  }
  function addText(text: string, { size = 11, face = regular, color = INK_COLOR, x = PAGE.edge, width = TEXT_WIDTH }: TextStyle = {}) {
    for (const line of wrapText(text, face, size, width)) {
      ensureRoom(size * LINE_HEIGHT)
      y -= size * LINE_HEIGHT
      drawTextLine(page, line, face, { x, y: y + size * 0.3, size, color })
    }
  }
  /** Adds a heading, on the same page as the first `under` points of its section. */
  const addHeading = (text: string, under = 11 * LINE_HEIGHT) => {
    ensureRoom(18 + 8 + 15 * LINE_HEIGHT + 4 + under)
    y -= 18
    page.drawLine({ start: { x: PAGE.edge, y }, end: { x: PAGE.width - PAGE.edge, y }, thickness: 0.75, color: LINE_COLOR })
    y -= 8
    addText(text, { size: 15, face: bold })
    y -= 4
  }

  addText(site.name, { size: 12, face: bold, color: FIELD_GREEN_COLOR })
  y -= 10
  addText(folder.name, { size: 26, face: bold })
  addText([folder.player.name, `with ${instructor.name}`, given && date.format(new Date(given))].filter(Boolean).join(' · '), {
    color: MUTED_INK_COLOR,
  })

  if (review.grades.length) {
    y -= 14
    ensureRoom(50)
    const top = y
    for (const [i, { skill, grade }] of review.grades.entries()) {
      const x = PAGE.edge + (TEXT_WIDTH / review.grades.length) * i
      y = top
      addText(String(grade), { size: 30, face: bold, color: GOLD_COLOR, x })
      addText(`${capitalize(skill)}: ${gradeMeaning(grade).toLowerCase()}`, {
        size: 10,
        color: MUTED_INK_COLOR,
        x,
        width: TEXT_WIDTH / review.grades.length - 8,
      })
    }
  }
  addHeading(`${instructor.name} sums it up`)
  addText(review.summary, { size: 12 })

  if (review.goals?.length) {
    addHeading('To work on')
    for (const { text, state } of review.goals) {
      addText(text, { x: PAGE.edge + 60, width: TEXT_WIDTH - 60 })
      const height = wrapText(text, regular, 11, TEXT_WIDTH - 60).length * 11 * LINE_HEIGHT
      drawTextLine(page, GOAL_STATE_DISPLAY[state].label, bold, {
        x: PAGE.edge,
        y: y + height - 11 * LINE_HEIGHT + 11 * 0.3,
        size: 10,
        color: MUTED_INK_COLOR,
      })
      y -= 4
    }
  }

  const notes = sortNotes(review.notes, clips)
  for (const [nth, note] of notes.entries()) {
    const bytes = stills.get(note.id)
    const picture = bytes && (await document.embedJpg(bytes))
    const size = picture && fitInto(picture, NOTE_PICTURE_WIDTH, 250)
    const beside = size ? NOTE_PICTURE_WIDTH + 16 : 0
    const text = [note.text, note.link].filter(Boolean).join('\n')
    const words = wrapText(text, regular, 11, TEXT_WIDTH - beside).length * 11 * LINE_HEIGHT + (note.voice ? 60 : 34)
    const height = Math.max(size?.height ?? 0, words)
    // A note is not split across pages unless it is longer than a page.
    const whole = Math.min(height, PAGE.height - 2 * PAGE.edge - 80)
    if (nth === 0) addHeading(notes.length === 1 ? '1 note' : `${notes.length} notes`, whole)
    ensureRoom(whole)
    const [top, on] = [y, page]
    if (picture && size) page.drawImage(picture, { x: PAGE.edge, y: y - size.height, ...size })
    const look = { x: PAGE.edge + beside, width: TEXT_WIDTH - beside }
    addText(NOTE_KIND_DISPLAY[note.kind].label, { ...look, size: 11, face: bold, color: FIELD_GREEN_COLOR })
    addText(noteLocation(note, clips), { ...look, size: 9.5, color: MUTED_INK_COLOR })
    if (text) addText(text, look)
    if (note.voice) addText('With a voice-over: see the Voice-overs folder.', { ...look, size: 9.5, color: MUTED_INK_COLOR })
    if (page === on) y = Math.min(y, top - (size?.height ?? 0))
    y -= 16
  }

  for (const [nth, { skill, of, steps }] of techniques.entries()) {
    const pictures = await Promise.all(steps.map(({ picture }) => picture && document.embedJpg(picture)))
    const sizes = pictures.map(picture => picture && fitInto(picture, FIFTH_WIDTH, 130))
    const tallest = Math.max(0, ...sizes.map(size => size?.height ?? 0))
    const whole = 16 + tallest + 56
    if (nth === 0) addHeading('Technique', whole)
    ensureRoom(whole)
    addText(clips.length > 1 ? `${capitalize(skill)}, ${of}` : capitalize(skill), { face: bold })
    y -= 4
    const foot = y - tallest
    for (const [i, { name, frame, since }] of steps.entries()) {
      const look = { x: PAGE.edge + i * (FIFTH_WIDTH + PICTURE_GAP_POINTS), width: FIFTH_WIDTH }
      if (pictures[i]) page.drawImage(pictures[i], { x: look.x, y: foot, ...sizes[i]! })
      y = foot - 3
      addText(capitalize(name), { ...look, face: bold, size: 10 })
      addText(`frame ${frame + 1}`, { ...look, size: 9, color: MUTED_INK_COLOR })
      if (since) addText(since, { ...look, face: bold, size: 14, color: GOLD_COLOR })
    }
    y = foot - 56
  }
  if (techniques.length) addText('Milliseconds of real time since the previous position.', { size: 9, color: MUTED_INK_COLOR })

  for (const [nth, { title, moments }] of compared.entries()) {
    const rows = await Promise.all(
      moments.map(sides =>
        Promise.all(
          sides.map(async ({ of, frame, picture }) => {
            const image = picture && (await document.embedJpg(picture))
            return {
              label: `${of} · frame ${frame + 1}`,
              image,
              size: image ? fitInto(image, HALF_WIDTH, 240) : { width: HALF_WIDTH, height: 0 },
            }
          }),
        ),
      ),
    )
    const tallest = (row: (typeof rows)[0]) => Math.max(...row.map(({ size }) => size.height))
    const under = (row: (typeof rows)[0]) =>
      Math.max(...row.map(({ label }) => wrapText(label, regular, 9.5, HALF_WIDTH).length)) * 9.5 * LINE_HEIGHT
    // A title stays on the same page as its first pictures, and two compared pictures stay together.
    const first = 30 + (rows[0] ? tallest(rows[0]) + under(rows[0]) : 0)
    if (nth === 0) addHeading('Before and after', first)
    ensureRoom(first)
    addText(title, { face: bold })
    y -= 4
    if (!rows.length) addText('One of its videos was deleted.', { color: MUTED_INK_COLOR })
    for (const row of rows) {
      ensureRoom(tallest(row) + under(row) + 4)
      const foot = y - tallest(row)
      let lowest = foot
      for (const [which, { label, image, size }] of row.entries()) {
        const x = PAGE.edge + which * (HALF_WIDTH + PICTURE_GAP_POINTS)
        if (image) page.drawImage(image, { x, y: foot, ...size })
        y = foot - 3
        addText(label, { x, width: HALF_WIDTH, size: 9.5, color: MUTED_INK_COLOR })
        lowest = Math.min(lowest, y)
      }
      y = lowest - 10
    }
    y -= 6
  }

  if (session.question) {
    addHeading(session.answer ? 'Question and answer' : 'Question')
    addText(session.question, { face: bold })
    addText(session.answer ?? 'Not answered yet.', session.answer ? {} : { color: MUTED_INK_COLOR })
  }

  const pages = document.getPages()
  for (const [i, one] of pages.entries()) {
    const text = `${i + 1} of ${pages.length}`
    const at = { x: PAGE.width - PAGE.edge - textWidth(text, regular, 9), y: PAGE.edge - 20, size: 9, color: MUTED_INK_COLOR }
    drawTextLine(one, text, regular, at)
    drawTextLine(one, `${folder.name}, ${site.name}`.slice(0, 80), regular, { ...at, x: PAGE.edge })
  }
  await Promise.all(regular.embedding)
  return document.save()
}

/** Returns the largest size, in points, at which a picture fits into a box. */
function fitInto({ width, height }: { width: number; height: number }, maxWidth: number, tallest: number) {
  const scale = Math.min(maxWidth / width, tallest / height)
  return { width: width * scale, height: height * scale }
}

const noteLocation = ({ video, at, frame }: ReviewedSession['review']['notes'][number], clips: Session['clips']) =>
  [clips.find(c => c.id === video)?.name, formatClockHundredths(at), frame !== undefined && `frame ${frame + 1}`]
    .filter(Boolean)
    .join(' · ')
