import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { v7 } from 'uuid'
import type { Draft } from '../../../modules/folders/contract.ts'
import { MAX_GOAL_LENGTH, MAX_GOALS_PER_REVIEW } from '../../../modules/reviews/policy.ts'
import type { AutosavingDraftStore } from '../../draft/autosaved-draft.ts'
import { useDraftSelector } from '../../draft/draft-selector-hooks.ts'
import { GOAL_STATE_DISPLAY, GOAL_STATES_IN_ORDER, type GoalState } from '../../folders/goals.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'

type Goal = NonNullable<Draft['goals']>[number]
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const
const NO_GOALS: Goal[] = []
const createGoal = (): Goal => ({ id: v7(), text: '', state: 'given' })

/** Changes the state of a goal from an earlier session. */
const GoalProgress = ({ goal, number, onState }: { goal: Goal; number: number; onState: (state: GoalState) => void }) => (
  <fieldset className="flex flex-wrap items-center gap-1 px-1 pb-1">
    <legend className="sr-only">Progress of goal {number}</legend>
    {GOAL_STATES_IN_ORDER.map(state => (
      <label
        key={state}
        className={cx(
          'relative inline-flex min-h-11 cursor-pointer items-center rounded-full border px-3 text-14 font-medium has-focus-visible:outline-3 has-focus-visible:outline-sky',
          goal.state === state ? GOAL_STATE_DISPLAY[state].on : 'border-line text-ink-2 hover:border-edge hover:text-ink',
        )}
      >
        <input
          type="radio"
          name={`state-${goal.id}`}
          checked={goal.state === state}
          onChange={() => onState(state)}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
        />
        <span>{GOAL_STATE_DISPLAY[state].label}</span>
      </label>
    ))}
    <span className="ml-auto px-1 text-13 text-ink-2">From last time</span>
  </fieldset>
)

/**
 * The goals until the next session, most important first, including the last session's open goals. Enter adds a goal below, Backspace
 * removes an empty one, and Alt with an arrow key moves one.
 */
export function GoalsEditor({ autosavedDraft, loading, first }: { autosavedDraft: AutosavingDraftStore; loading: boolean; first: string }) {
  const saved = useDraftSelector(autosavedDraft, d => d.goals) ?? NO_GOALS
  /** An empty line for a first goal, which becomes a real goal when the first letter is typed. */
  const [readyGoal, setReadyGoal] = useState(createGoal)
  const goals = saved.length ? saved : [readyGoal]
  const list = useRef<HTMLOListElement>(null)
  const change = (update: (goals: Goal[]) => Goal[]) =>
    autosavedDraft.change(({ goals = [], ...draft }) => {
      const next = update(goals)
      return next.length ? { ...draft, goals: next } : draft
    })
  const edit = (id: string, to: Partial<Goal>) =>
    change(all => (all.length ? all : [readyGoal]).map(g => (g.id === id ? { ...g, ...to } : g)))
  /** Changes the list and focuses a goal synchronously, so that the next key types into it. */
  function changeAndGo(update: (goals: Goal[]) => Goal[], id: string | undefined) {
    flushSync(() => {
      change(update)
      setReadyGoal(createGoal())
    })
    list.current?.querySelector<HTMLElement>(`[data-goal="${id}"] textarea`)?.focus()
  }
  const full = goals.length >= MAX_GOALS_PER_REVIEW
  function add(at = goals.length) {
    if (full || loading) return
    if (!saved.length) return list.current?.querySelector('textarea')?.focus()
    const goal = createGoal()
    changeAndGo(all => all.toSpliced(at, 0, goal), goal.id)
  }
  function remove(i: number) {
    if (!saved.length) return
    changeAndGo(all => all.toSpliced(i, 1), goals[i - 1]?.id ?? goals[i + 1]?.id)
  }
  function move(i: number, by: 1 | -1) {
    if (!goals[i + by]) return
    change(all => all.with(i, all[i + by]!).with(i + by, all[i]!))
  }
  return (
    <section aria-labelledby="goals" className="flex flex-col gap-3">
      <div>
        <h2 id="goals" className="text-16">
          Goals
        </h2>
        <p className="text-13 text-ink-2">
          Short sentences, the most important one first: {first} reads it as the one thing to do next. Open goals come back in your next
          session with {first}.
        </p>
      </div>
      <ol ref={list} className="flex flex-col gap-2">
        {goals.map((goal, i) => (
          <li key={goal.id} data-goal={goal.id} className="rounded-field border border-line bg-paper p-1">
            <div className="flex items-start">
              <span aria-hidden="true" className="pt-2.5 pl-2 text-14 font-medium text-ink-2">
                {i + 1}
              </span>
              <textarea
                aria-label={`Goal ${i + 1}`}
                value={goal.text}
                disabled={loading}
                maxLength={MAX_GOAL_LENGTH}
                rows={Math.max(1, Math.ceil(goal.text.length / 30))}
                placeholder="What to do, and how often"
                // A goal is a single line, so line breaks become spaces.
                onChange={e => edit(goal.id, { text: e.currentTarget.value.replaceAll('\n', ' ') })}
                onKeyDown={e => {
                  if (e.key === 'Enter' && !e.nativeEvent.isComposing) add(i + 1)
                  else if (e.key === 'Backspace' && !goal.text) remove(i)
                  else if (e.altKey && e.key === 'ArrowUp') move(i, -1)
                  else if (e.altKey && e.key === 'ArrowDown') move(i, 1)
                  else return
                  e.preventDefault()
                }}
                className={cx(
                  'field-sizing-content min-h-11 min-w-0 flex-1 resize-none rounded-field bg-transparent px-2 py-2.5 text-16 placeholder:text-ink-2 focus-visible:-outline-offset-2',
                  goal.state === 'fixed' && 'text-ink-2 line-through',
                )}
              />
              {goals.length > 1 && (
                <>
                  <IconButton label={`Move goal ${i + 1} up`} disabled={i === 0} onClick={() => move(i, -1)} className="text-ink-2">
                    <ArrowUp {...icon} />
                  </IconButton>
                  <IconButton
                    label={`Move goal ${i + 1} down`}
                    disabled={i === goals.length - 1}
                    onClick={() => move(i, 1)}
                    className="text-ink-2"
                  >
                    <ArrowDown {...icon} />
                  </IconButton>
                </>
              )}
              {saved.length > 0 && (
                <IconButton label={`Delete goal ${i + 1}`} onClick={() => remove(i)} className="text-ink-2">
                  <Trash2 {...icon} />
                </IconButton>
              )}
            </div>
            {goal.from && <GoalProgress goal={goal} number={i + 1} onState={state => edit(goal.id, { state })} />}
          </li>
        ))}
      </ol>
      {full ? (
        <p className="text-14 text-ink-2">A session has at most {MAX_GOALS_PER_REVIEW} goals.</p>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          disabled={loading}
          icon={<Plus aria-hidden="true" size={18} strokeWidth={2} />}
          onClick={() => add()}
          className="self-start"
        >
          Add a goal
        </Button>
      )}
    </section>
  )
}
