import { memo } from 'react'
import type { Skill } from '../../../modules/accounts/contract.ts'
import type { Draft } from '../../../modules/folders/contract.ts'
import { SKILLS } from '../../../modules/reviews/policy.ts'
import { GRADES, gradeMeaning } from '../../folders/grades.ts'
import { capitalize } from '../../ui/capitalize.ts'
import { cx } from '../../ui/cx.ts'

interface GradeProps {
  skill: Skill
  grade: number | undefined
  /** Must be a stable function, so that only the changed scale rerenders. */
  onGrade: (skill: Skill, grade: number | undefined) => void
}

const GradeScale = memo(function GradeScale({ skill, grade, onGrade }: GradeProps) {
  return (
    <fieldset className="relative">
      {/* The browser lays out a floated legend like other content, instead of in the fieldset's border. */}
      <legend className="float-left flex w-full items-baseline justify-between gap-2">
        <span className="font-medium">{capitalize(skill)}</span>
        <span className={cx('text-14 text-ink-2', grade !== undefined && 'pr-13')}>
          {grade === undefined ? (
            'No grade'
          ) : (
            <>
              <span className="mr-2 text-18 font-heavy text-gold">{grade}</span>
              {gradeMeaning(grade)}
            </>
          )}
        </span>
      </legend>
      <div className="clear-both flex h-11 items-end">
        {GRADES.map((step, i) => (
          <label
            key={step}
            title={`${step}, ${gradeMeaning(step)}`}
            className="group relative flex h-full flex-1 cursor-pointer items-end px-0.5 has-focus-visible:rounded-base has-focus-visible:outline-2 has-focus-visible:outline-sky"
          >
            <input
              type="radio"
              name={`grade-${skill}`}
              value={step}
              checked={step === grade}
              onChange={() => onGrade(skill, step)}
              aria-label={`${capitalize(skill)} ${step}, ${gradeMeaning(step)}`}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span
              style={{ height: `${30 + i * 5.8}%` }}
              className={cx('block w-full rounded-base', grade !== undefined && step <= grade ? 'bg-gold' : 'bg-line group-hover:bg-edge')}
            />
          </label>
        ))}
      </div>
      <button
        type="button"
        disabled={grade === undefined}
        onClick={() => onGrade(skill, undefined)}
        aria-label={`Clear the grade for ${skill}`}
        className="absolute -top-2 -right-2 min-h-11 px-2 text-13 text-ink-2 hover:text-ink disabled:invisible"
      >
        Clear
      </button>
    </fieldset>
  )
})

/** Grades from 20 to 80 in steps of five; each skill is optional. */
export const GradesEditor = memo(function GradesEditor({ grades, onGrade }: { grades: Draft['grades']; onGrade: GradeProps['onGrade'] }) {
  return (
    <section aria-labelledby="grades" className="flex flex-col gap-5">
      <div>
        <h2 id="grades" className="text-16">
          Grades
        </h2>
        <p className="text-13 text-ink-2">20–80, where 50 is average for their level. Grade only what you saw.</p>
      </div>
      {SKILLS.map(skill => (
        <GradeScale key={skill} skill={skill} grade={grades.find(g => g.skill === skill)?.grade} onGrade={onGrade} />
      ))}
    </section>
  )
})
