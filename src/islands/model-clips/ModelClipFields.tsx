import type { ModelClipDetails } from '../../../modules/model-clips/contract.ts'
import { MAX_MODEL_CLIP_TITLE_LENGTH } from '../../../modules/model-clips/policy.ts'
import { SKILLS } from '../../../modules/reviews/policy.ts'
import { MODEL_CLIP_ANGLE_LABELS, MODEL_CLIP_HANDEDNESS_LABELS } from '../../comparison/model-clip-labels.ts'
import { capitalize } from '../../ui/capitalize.ts'
import { SelectField, TextField } from '../../ui/field.tsx'

const options = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

/** The fields that say what a model clip shows; `readModelClipFields` reads them. `errors`: messages by field. */
export function ModelClipFields({ details, errors }: { details: ModelClipDetails; errors: Record<string, string> }) {
  return (
    <>
      <TextField
        label="Name"
        name="title"
        hint="Your players read it above the clip."
        maxLength={MAX_MODEL_CLIP_TITLE_LENGTH}
        defaultValue={details.title}
        error={errors.title}
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <SelectField label="Movement" name="skill" defaultValue={details.skill} error={errors.skill}>
          {options(Object.fromEntries(SKILLS.map(skill => [skill, capitalize(skill)])))}
        </SelectField>
        <SelectField label="Side" name="side" defaultValue={details.side} error={errors.side}>
          {options(MODEL_CLIP_HANDEDNESS_LABELS)}
        </SelectField>
        <SelectField label="Angle" name="angle" defaultValue={details.angle} error={errors.angle}>
          {options(MODEL_CLIP_ANGLE_LABELS)}
        </SelectField>
      </div>
    </>
  )
}

/** Reads the values of `ModelClipFields` from their form. */
export function readModelClipFields(form: HTMLFormElement): ModelClipDetails {
  const given = new FormData(form)
  return {
    title: String(given.get('title')).trim(),
    skill: given.get('skill') as ModelClipDetails['skill'],
    side: given.get('side') as ModelClipDetails['side'],
    angle: given.get('angle') as ModelClipDetails['angle'],
  }
}
