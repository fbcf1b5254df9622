import { PDFDocument, type RGB } from '@cantoo/pdf-lib'
import type { Session } from '../../modules/folders/contract.ts'
import { gradeMeaning } from '../folders/grades.ts'
import { inReadingOrder, NOTE_KINDS } from '../folders/notes.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'
import { site } from '../site.ts'
import { capitalize } from '../ui/capitalize.ts'
import { formatClockHundredths } from '../ui/format.ts'
import type { ComparedOnPaper } from './compared.ts'
import type { PacedOnPaper } from './paced.ts'
import { FIELD, facesOf, GOLD, INK, INK_2, LINE, lines, widthOf, write } from './type.ts'

/** US Letter, points. */
const PAGE = { width: 612, height: 792, edge: 54 }
const WIDTH = PAGE.width - 2 * PAGE.edge
/** Width of a note's picture. */
const PICTURE = 190
/** Width of one of two pictures beside each other, and what is between them. */
const GAP = 12
const HALF = (WIDTH - GAP) / 2
/** Width of one of the five positions that a discipline has at most. */
const FIFTH = (WIDTH - 4 * GAP) / 5
const LEADING = 1.4
const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })
const GOAL_STATES = { given: 'To do', tried: 'Tried', fixed: 'Fixed' } as const

/** What stands on the sheet beside the session itself. `stills`: JPEG of a note's frame, by the note's id; `paced`: positions of its technique; `compared`: its comparisons. */
export interface Sheet {
  folder: { name: string; player: { name: string } }
  session: ReviewedSession
  stills: ReadonlyMap<string, ArrayBuffer>
  paced: readonly PacedOnPaper[]
  compared: readonly ComparedOnPaper[]
}

/** The feedback on paper, as a PDF: grades, summary, what to do next, each note beside its frame, the positions of the technique with their times, and what was compared. */
export async function sheet({ folder, session, stills, paced, compared }: Sheet): Promise<Uint8Array> {
  const { review, instructor, given, clips } = session
  const document = await PDFDocument.create()
  const { regular, bold } = await facesOf(document)
  document.setTitle(`${folder.name}: feedback by ${instructor.name}`)
  document.setAuthor(instructor.name)
  document.setCreator(site.name)
  let page = document.addPage([PAGE.width, PAGE.height])
  /** The next line goes under this. */
  let y = PAGE.height - PAGE.edge

  const room = (height: number) => {
    if (y - height >= PAGE.edge + 20) return
    page = document.addPage([PAGE.width, PAGE.height])
    y = PAGE.height - PAGE.edge
  }
  interface Look {
    size?: number
    face?: typeof regular
    color?: RGB
    x?: number
    width?: number
  }
  function say(text: string, { size = 11, face = regular, color = INK, x = PAGE.edge, width = WIDTH }: Look = {}) {
    for (const line of lines(text, face, size, width)) {
      room(size * LEADING)
      y -= size * LEADING
      write(page, line, face, { x, y: y + size * 0.3, size, color })
    }
  }
  /** `under`: how high the first of what it heads is, which stands on the same page. */
  const heading = (text: string, under = 11 * LEADING) => {
    room(18 + 8 + 15 * LEADING + 4 + under)
    y -= 18
    page.drawLine({ start: { x: PAGE.edge, y }, end: { x: PAGE.width - PAGE.edge, y }, thickness: 0.75, color: LINE })
    y -= 8
    say(text, { size: 15, face: bold })
    y -= 4
  }

  say(site.name, { size: 12, face: bold, color: FIELD })
  y -= 10
  say(folder.name, { size: 26, face: bold })
  say([folder.player.name, `with ${instructor.name}`, given && date.format(new Date(given))].filter(Boolean).join(' · '), { color: INK_2 })

  if (review.grades.length) {
    y -= 14
    room(50)
    const top = y
    for (const [i, { skill, grade }] of review.grades.entries()) {
      const x = PAGE.edge + (WIDTH / review.grades.length) * i
      y = top
      say(String(grade), { size: 30, face: bold, color: GOLD, x })
      say(`${capitalize(skill)}: ${gradeMeaning(grade).toLowerCase()}`, {
        size: 10,
        color: INK_2,
        x,
        width: WIDTH / review.grades.length - 8,
      })
    }
  }
  heading(`${instructor.name} sums it up`)
  say(review.summary, { size: 12 })

  if (review.goals?.length) {
    heading('To work on')
    for (const { text, state } of review.goals) {
      const label = GOAL_STATES[state]
      say(text, { x: PAGE.edge + 60, width: WIDTH - 60 })
      const height = lines(text, regular, 11, WIDTH - 60).length * 11 * LEADING
      write(page, label, bold, { x: PAGE.edge, y: y + height - 11 * LEADING + 11 * 0.3, size: 10, color: INK_2 })
      y -= 4
    }
  }

  const notes = inReadingOrder(review.notes, clips)
  for (const [nth, note] of notes.entries()) {
    const bytes = stills.get(note.id)
    const picture = bytes && (await document.embedJpg(bytes))
    const size = picture && scaled(picture, PICTURE, 250)
    const beside = size ? PICTURE + 16 : 0
    const words = lines(note.text, regular, 11, WIDTH - beside).length * 11 * LEADING + (note.voice ? 60 : 34)
    const height = Math.max(size?.height ?? 0, words)
    // A note stays together where it fits on a page.
    const whole = Math.min(height, PAGE.height - 2 * PAGE.edge - 80)
    if (nth === 0) heading(notes.length === 1 ? '1 note' : `${notes.length} notes`, whole)
    room(whole)
    const [top, on] = [y, page]
    if (picture && size) page.drawImage(picture, { x: PAGE.edge, y: y - size.height, ...size })
    const look = { x: PAGE.edge + beside, width: WIDTH - beside }
    say(NOTE_KINDS[note.kind].label, { ...look, size: 11, face: bold, color: FIELD })
    say(whereOf(note, clips), { ...look, size: 9.5, color: INK_2 })
    if (note.text) say(note.text, look)
    if (note.voice) say('With a voice-over: it is with this sheet, under Voice-overs.', { ...look, size: 9.5, color: INK_2 })
    if (page === on) y = Math.min(y, top - (size?.height ?? 0))
    y -= 16
  }

  for (const [nth, { skill, of, steps }] of paced.entries()) {
    const pictures = await Promise.all(steps.map(({ picture }) => picture && document.embedJpg(picture)))
    const sizes = pictures.map(picture => picture && scaled(picture, FIFTH, 130))
    const tallest = Math.max(0, ...sizes.map(size => size?.height ?? 0))
    const whole = 16 + tallest + 56
    if (nth === 0) heading('Technique', whole)
    room(whole)
    say(clips.length > 1 ? `${capitalize(skill)}, ${of}` : capitalize(skill), { face: bold })
    y -= 4
    const foot = y - tallest
    for (const [i, { name, frame, since }] of steps.entries()) {
      const look = { x: PAGE.edge + i * (FIFTH + GAP), width: FIFTH }
      if (pictures[i]) page.drawImage(pictures[i], { x: look.x, y: foot, ...sizes[i]! })
      y = foot - 3
      say(capitalize(name), { ...look, face: bold, size: 10 })
      say(`frame ${frame + 1}`, { ...look, size: 9, color: INK_2 })
      if (since) say(since, { ...look, face: bold, size: 14, color: GOLD })
    }
    y = foot - 56
  }
  if (paced.length) say('Milliseconds of real time since the position before.', { size: 9, color: INK_2 })

  for (const [nth, { title, moments }] of compared.entries()) {
    const rows = await Promise.all(
      moments.map(sides =>
        Promise.all(
          sides.map(async ({ of, frame, picture }) => {
            const image = picture && (await document.embedJpg(picture))
            return { label: `${of} · frame ${frame + 1}`, image, size: image ? scaled(image, HALF, 240) : { width: HALF, height: 0 } }
          }),
        ),
      ),
    )
    const tallest = (row: (typeof rows)[0]) => Math.max(...row.map(({ size }) => size.height))
    const under = (row: (typeof rows)[0]) => Math.max(...row.map(({ label }) => lines(label, regular, 9.5, HALF).length)) * 9.5 * LEADING
    // A title goes with its first pictures, and two pictures stay beside each other.
    const first = 30 + (rows[0] ? tallest(rows[0]) + under(rows[0]) : 0)
    if (nth === 0) heading('Before and after', first)
    room(first)
    say(title, { face: bold })
    y -= 4
    if (!rows.length) say('A video of it is not there anymore.', { color: INK_2 })
    for (const row of rows) {
      room(tallest(row) + under(row) + 4)
      const foot = y - tallest(row)
      let lowest = foot
      for (const [which, { label, image, size }] of row.entries()) {
        const x = PAGE.edge + which * (HALF + GAP)
        if (image) page.drawImage(image, { x, y: foot, ...size })
        y = foot - 3
        say(label, { x, width: HALF, size: 9.5, color: INK_2 })
        lowest = Math.min(lowest, y)
      }
      y = lowest - 10
    }
    y -= 6
  }

  if (session.question) {
    heading(session.answer ? 'Asked and answered' : 'Asked')
    say(session.question, { face: bold })
    say(session.answer ?? 'Not answered yet.', session.answer ? {} : { color: INK_2 })
  }

  const pages = document.getPages()
  for (const [i, one] of pages.entries()) {
    const text = `${i + 1} of ${pages.length}`
    const at = { x: PAGE.width - PAGE.edge - widthOf(text, regular, 9), y: PAGE.edge - 20, size: 9, color: INK_2 }
    write(one, text, regular, at)
    write(one, `${folder.name}, ${site.name}`.slice(0, 80), regular, { ...at, x: PAGE.edge })
  }
  return document.save()
}

/** As large as fits into a box. */
function scaled({ width, height }: { width: number; height: number }, most: number, tallest: number) {
  const scale = Math.min(most / width, tallest / height)
  return { width: width * scale, height: height * scale }
}

const whereOf = ({ video, at, frame }: ReviewedSession['review']['notes'][number], clips: Session['clips']) =>
  [clips.find(c => c.id === video)?.name, formatClockHundredths(at), frame !== undefined && `frame ${frame + 1}`]
    .filter(Boolean)
    .join(' · ')
