import type { PersonalTextFields } from '../privacy/get-and-set-texts-by-path.ts'
import type { ModelLibraryEvent } from './model-library.ts'

/** Names of clips and of their files are encrypted with the instructor's key. */
export const modelLibraryPersonalTextFields: PersonalTextFields<ModelLibraryEvent> = {
  stream: 'library',
  person: 'id',
  fields: {
    ModelClipAdded: ['title', 'video.name'],
    ModelClipRightsConfirmed: [],
    ModelClipDescribed: ['title'],
    ModelClipShown: [],
    ModelClipRemoved: [],
  },
}
