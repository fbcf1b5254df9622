import { v7 } from 'uuid'
import type { Phrase } from '../../../../modules/phrases/contract.ts'
import { SKILLS } from '../../../../modules/reviews/policy.ts'
import { useQuery } from '../../../client/query.ts'
import { sendCommand } from '../../../client/send-command.ts'
import { useCommand } from '../../../client/use-command.ts'
import { NoteKindMark } from '../../../folders/NoteKindMark.tsx'
import { NOTE_KIND_DISPLAY } from '../../../folders/notes.ts'
import { Button } from '../../../ui/button.tsx'
import { capitalize } from '../../../ui/capitalize.ts'
import { FormError } from '../../../ui/field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { unusedStarterPhrases } from './find-phrases.ts'
import type { StarterPhrase } from './starter-phrases.ts'

function StarterRow({ phrase: { text, kind, link }, onAdded }: { phrase: StarterPhrase; onAdded: () => void }) {
  const add = useCommand()
  const press = async () => {
    if (await add.run(() => sendCommand('POST /api/phrases', { body: { id: v7(), text, kind, link } }))) onAdded()
  }
  return (
    <li className="py-2">
      <div className="flex items-start gap-3">
        <NoteKindMark kind={kind} className="mt-2 shrink-0" />
        <p className="min-w-0 flex-1">
          <span className="sr-only">{NOTE_KIND_DISPLAY[kind].label}: </span>
          {text}
        </p>
        <Button variant="secondary" size="sm" busy={add.busy} aria-label={`Add “${text}”`} onClick={press}>
          Add
        </Button>
      </div>
      <FormError>{add.message}</FormError>
    </li>
  )
}

/**
 * The built-in phrases and drills by discipline. A button next to each adds it to the instructor's own phrases, where it can be changed.
 * `skill`: the discipline to show first; if undefined, the first one in the instructor's profile.
 */
export function StarterPhrases({ own, skill, onAdded }: { own: readonly Phrase[]; skill: string | undefined; onAdded: () => void }) {
  const profile = useQuery('GET /api/profile', skill ? false : undefined)
  const starters = unusedStarterPhrases(own)
  if (!skill && !profile.data && !profile.error) return <Skeleton className="mt-6 h-32" />
  return (
    <section aria-labelledby="starter-phrases" className="mt-6">
      <h3 id="starter-phrases" className="text-16">
        Starter phrases
      </h3>
      <p className="mt-1 mb-2 text-14 text-ink-2">Typing / finds these, too. Add one to change its words.</p>
      <Tabs
        label="Starter phrases for"
        defaultValue={skill ?? profile.data?.skills[0] ?? SKILLS[0]!}
        tabs={SKILLS.map(of => ({
          value: of,
          label: capitalize(of),
          content: (
            <ul className="-mt-4 divide-y divide-line">
              {starters
                .filter(phrase => phrase.skill === of)
                .map(phrase => (
                  <StarterRow key={phrase.id} {...{ phrase, onAdded }} />
                ))}
            </ul>
          ),
        }))}
      />
    </section>
  )
}
