import type { NoteKind } from '../../modules/folders/contract.ts'
import { cx } from '../ui/cx.ts'
import { NOTE_KIND_DISPLAY } from './notes.ts'

/** A small diamond in the color of a kind of note. Screen readers skip it, so the kind has to be written next to it. */
export const NoteKindMark = ({ kind, className }: { kind: NoteKind; className?: string }) => (
  <span aria-hidden="true" className={cx('size-2.5 rotate-45 rounded-base', NOTE_KIND_DISPLAY[kind].fill, className)} />
)
