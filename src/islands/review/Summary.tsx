import { useCallback } from 'react'
import type { Skill } from '../../../modules/folders/contract.ts'
import { TEXT_LENGTH } from '../../../modules/folders/policy.ts'
import type { DraftKeeper } from '../../draft/draft.ts'
import { useDraft } from '../../draft/parts.ts'
import { TextArea } from '../../ui/field.tsx'
import { Goals } from './Goals.tsx'
import { GradePicker } from './GradePicker.tsx'
import { full } from './missing.ts'

/** What the player reads first, what to do next, and the grades. `first`: the player's first name. */
export function Summary({ keeper, loading, first }: { keeper: DraftKeeper; loading: boolean; first: string }) {
  const grades = useDraft(keeper, d => d.grades)
  const grade = useCallback(
    (skill: Skill, to: number | undefined) =>
      keeper.change(d => {
        const others = d.grades.filter(g => g.skill !== skill)
        return { ...d, grades: to === undefined ? others : [...others, { skill, grade: to }] }
      }),
    [keeper],
  )
  return (
    <div className="flex flex-col gap-8">
      <Words keeper={keeper} loading={loading} />
      <Goals keeper={keeper} loading={loading} first={first} />
      <GradePicker grades={grades} onGrade={grade} />
    </div>
  )
}

function Words({ keeper, loading }: { keeper: DraftKeeper; loading: boolean }) {
  const summary = useDraft(keeper, d => d.summary)
  return (
    <TextArea
      id="summary"
      label="Summary"
      hint="The one thing to work on, and how. They read this first."
      rows={6}
      maxLength={TEXT_LENGTH}
      error={full(summary)}
      disabled={loading}
      value={summary}
      onChange={e => {
        const text = e.currentTarget.value
        keeper.change(d => ({ ...d, summary: text }))
      }}
    />
  )
}
