import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { v7 } from 'uuid'
import type { NoteKind } from '../../../../modules/folders/contract.ts'
import type { Phrase, PhraseContent } from '../../../../modules/phrases/contract.ts'
import { MAX_PHRASE_LENGTH } from '../../../../modules/phrases/policy.ts'
import { MAX_MATERIAL_LINK_LENGTH } from '../../../../modules/reviews/policy.ts'
import { ApiError } from '../../../client/api.ts'
import { refetchQueries, useQuery } from '../../../client/query.ts'
import { sendCommand } from '../../../client/send-command.ts'
import { errorMessage, useCommand } from '../../../client/use-command.ts'
import { ExternalSiteLink } from '../../../feedback/ExternalSiteLink.tsx'
import { NoteKindMark } from '../../../folders/NoteKindMark.tsx'
import { NOTE_KIND_DISPLAY } from '../../../folders/notes.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { CardError } from '../../../ui/empty-and-error-states.tsx'
import { FormError, SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StarterPhrases } from './StarterPhrases.tsx'

const refetchPhrases = () => refetchQueries('GET /api/phrases')

function PhraseForm({ id, phrase, onDone }: { id: string; phrase?: PhraseContent; onDone: () => void }) {
  const save = useCommand()
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  async function submit(e: FormEvent<HTMLFormElement>) {
    e.preventDefault()
    const given = new FormData(e.currentTarget)
    const link = String(given.get('link')).trim()
    const body = { text: String(given.get('text')), kind: given.get('kind') as NoteKind, link: link || null }
    const done = await save.run(async () => {
      await (phrase
        ? sendCommand('PUT /api/phrases/{phrase}', { params: { phrase: id }, body })
        : sendCommand('POST /api/phrases', { body: { id, ...body } }))
    })
    if (!done) return
    refetchPhrases()
    onDone()
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <TextArea label="Phrase" name="text" rows={2} maxLength={MAX_PHRASE_LENGTH} defaultValue={phrase?.text} error={fields.text} />
      <div className="grid gap-3 sm:grid-cols-[10rem_1fr]">
        <SelectField label="Kind" name="kind" defaultValue={phrase?.kind ?? 'drill'}>
          {Object.entries(NOTE_KIND_DISPLAY).map(([kind, { label }]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Link"
          optional
          name="link"
          type="url"
          inputMode="url"
          maxLength={MAX_MATERIAL_LINK_LENGTH}
          placeholder="https://"
          defaultValue={phrase?.link ?? ''}
          error={fields.link}
        />
      </div>
      <FormError>{Object.keys(fields).length ? undefined : save.message}</FormError>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" busy={save.busy}>
          {phrase ? 'Save phrase' : 'Add phrase'}
        </Button>
      </div>
    </form>
  )
}

function PhraseRow({ phrase }: { phrase: Phrase }) {
  const [is, setIs] = useState<'shown' | 'edited' | 'gone'>('shown')
  const change = useCommand()
  const { id, ...words } = phrase
  const remove = () =>
    change.run(() => sendCommand('DELETE /api/phrases/{phrase}', { params: { phrase: id } })).then(ok => ok && setIs('gone'))
  const undo = () => change.run(() => sendCommand('POST /api/phrases', { body: phrase })).then(ok => ok && setIs('shown'))
  return (
    <li className="py-3">
      {is === 'edited' ? (
        <PhraseForm id={id} phrase={words} onDone={() => setIs('shown')} />
      ) : (
        <div className="flex flex-wrap items-start gap-x-3">
          <NoteKindMark kind={phrase.kind} className="mt-2 shrink-0" />
          <div className="min-w-48 flex-1">
            <p className={cx('wrap-anywhere whitespace-pre-line', is === 'gone' && 'text-ink-2 line-through')}>
              <span className="sr-only">{NOTE_KIND_DISPLAY[phrase.kind].label}: </span>
              {phrase.text}
            </p>
            {phrase.link && is === 'shown' && <ExternalSiteLink link={phrase.link} />}
          </div>
          {is === 'gone' ? (
            <Button variant="secondary" size="sm" busy={change.busy} onClick={undo}>
              Restore
            </Button>
          ) : (
            <span className="flex gap-1">
              <Button variant="quiet" size="sm" aria-label={`Edit “${phrase.text}”`} onClick={() => setIs('edited')}>
                Edit
              </Button>
              <Button variant="quiet" size="sm" busy={change.busy} aria-label={`Delete “${phrase.text}”`} onClick={remove}>
                Delete
              </Button>
            </span>
          )}
        </div>
      )}
      <FormError>{change.message}</FormError>
    </li>
  )
}

/**
 * Adds, changes and deletes the instructor's phrases and drills. A deleted phrase can be restored until the list is fetched again: when
 * another phrase is added or changed, or the dialog closes.
 */
export function PhrasesDialog({
  skill,
  onClose,
}: {
  /** The discipline of the current clip, whose starter phrases are shown first. */
  skill: string | undefined
  onClose: () => void
}) {
  const { data, error, retry } = useQuery('GET /api/phrases')
  const [fresh, setFresh] = useState<string>()
  return (
    <Dialog
      open
      wide
      onOpenChange={open => {
        if (open) return
        refetchPhrases()
        onClose()
      }}
      title="Phrases and drills"
      about="Things you say often. Type / in a note to find one; Enter inserts it with its link."
    >
      {fresh ? (
        <PhraseForm key={fresh} id={fresh} onDone={() => setFresh(undefined)} />
      ) : (
        <Button variant="secondary" icon={<Plus aria-hidden="true" size={18} strokeWidth={2} />} onClick={() => setFresh(v7())}>
          New phrase
        </Button>
      )}
      {data ? (
        data.phrases.length ? (
          <ul className="mt-4 divide-y divide-line border-t border-line">
            {data.phrases.map(phrase => (
              <PhraseRow key={phrase.id} phrase={phrase} />
            ))}
          </ul>
        ) : (
          <p className="mt-4 text-ink-2">None yet. Add one here, or save a note as a phrase while you review.</p>
        )
      ) : error ? (
        <CardError className="mt-4" error={errorMessage(error)} retry={retry} />
      ) : (
        <Skeleton className="mt-4 h-32" />
      )}
      {data && <StarterPhrases own={data.phrases} skill={skill} onAdded={refetchPhrases} />}
    </Dialog>
  )
}
