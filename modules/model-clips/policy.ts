export const MAX_MODEL_CLIPS_PER_LIBRARY = 30
export const MAX_MODEL_CLIP_TITLE_LENGTH = 80
/** What an instructor confirms before uploading a clip. The log stores this sentence for each clip, so a change affects new clips only. */
export const MODEL_CLIP_RIGHTS_STATEMENT =
  'I filmed this clip myself or have the permission of the person in it, and I may show it to my players.'
