import { useCallback, useState } from 'react'
import type { Skill } from '../../../modules/accounts/contract.ts'
import { MAX_SESSION_TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import type { AutosavingDraftStore } from '../../draft/autosaved-draft.ts'
import { useDraftSelector } from '../../draft/draft-selector-hooks.ts'
import { TextArea } from '../../ui/field.tsx'
import { GoalsEditor } from './GoalsEditor.tsx'
import { GradesEditor } from './GradesEditor.tsx'
import { textLimitMessage } from './review-completeness.ts'

/** Summary, goals and grades. `first`: the player's first name. */
export function SummaryGoalsAndGradesTab({
  autosavedDraft,
  loading,
  first,
}: {
  autosavedDraft: AutosavingDraftStore
  loading: boolean
  first: string
}) {
  const grades = useDraftSelector(autosavedDraft, d => d.grades)
  const grade = useCallback(
    (skill: Skill, to: number | undefined) =>
      autosavedDraft.change(d => {
        const others = d.grades.filter(g => g.skill !== skill)
        return { ...d, grades: to === undefined ? others : [...others, { skill, grade: to }] }
      }),
    [autosavedDraft],
  )
  return (
    <div className="flex flex-col gap-8">
      <SummaryText autosavedDraft={autosavedDraft} loading={loading} />
      <GoalsEditor autosavedDraft={autosavedDraft} loading={loading} first={first} />
      <GradesEditor grades={grades} onGrade={grade} />
    </div>
  )
}

function SummaryText({ autosavedDraft, loading }: { autosavedDraft: AutosavingDraftStore; loading: boolean }) {
  const summary = useDraftSelector(autosavedDraft, d => d.summary)
  // React subscribes to the draft only after it has painted this field. If the user types before that, React would reset the field to the
  // text that it rendered last unless this component's state changes.
  const [, setTyped] = useState('')
  return (
    <TextArea
      id="summary"
      label="Summary"
      hint="The one thing to work on, and how. They read this first."
      rows={6}
      maxLength={MAX_SESSION_TEXT_LENGTH}
      error={textLimitMessage(summary)}
      disabled={loading}
      value={summary}
      onChange={e => {
        const text = e.currentTarget.value
        autosavedDraft.change(d => ({ ...d, summary: text }))
        setTyped(text)
      }}
    />
  )
}
