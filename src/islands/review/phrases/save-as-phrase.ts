import { v7 } from 'uuid'
import type { Draft } from '../../../../modules/folders/contract.ts'
import { MAX_PHRASE_LENGTH } from '../../../../modules/phrases/policy.ts'
import { refetchQueries } from '../../../client/query.ts'
import { sendCommand } from '../../../client/send-command.ts'
import { errorMessage } from '../../../client/use-command.ts'
import { toast } from '../../../ui/toast.ts'
import type { OwnOrStarterPhrase } from './find-phrases.ts'

/** Saves a note's text, kind and link as a phrase, and shows the outcome in a toast. */
export async function saveAsPhrase({ text: written, kind, ...note }: Draft['notes'][number], known: readonly OwnOrStarterPhrase[]) {
  const text = written.trim()
  const link = note.link ?? null
  const notify = (title: string, description: string) => toast({ title, description })
  if (!text) return notify('Nothing to save yet', 'Write the note first.')
  if (text.length > MAX_PHRASE_LENGTH)
    return notify('This note is too long for a phrase', `A phrase has at most ${MAX_PHRASE_LENGTH} characters.`)
  if (known.some(p => p.text === text && p.kind === kind && p.link === link))
    return notify('You already have this phrase', 'Type / in a note to use it.')
  try {
    await sendCommand('POST /api/phrases', { body: { id: v7(), text, kind, link } })
    refetchQueries('GET /api/phrases')
    notify('Saved as a phrase', 'Type / in a note to use it again.')
  } catch (error) {
    toast({ title: 'The phrase was not saved', description: errorMessage(error), variant: 'destructive' })
  }
}
