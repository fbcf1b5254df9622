import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { NoteKind } from '../folders/contract.ts'
import { ExternalSiteUrl } from '../reviews/contract.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { MAX_PHRASE_LENGTH } from './policy.ts'

const content = z.strictObject({
  text: z.string().trim().min(1, 'Write the phrase').max(MAX_PHRASE_LENGTH, `A phrase has at most ${MAX_PHRASE_LENGTH} characters`),
  /** The kind that an empty note gets when this phrase is inserted. */
  kind: NoteKind,
  /** A page with more material for the player, such as a video of a drill; null if there is none. */
  link: ExternalSiteUrl.nullable(),
})
/** The part of a phrase that the instructor writes: text, kind and link, without the id. */
export type PhraseContent = z.infer<typeof content>

/** Text that an instructor uses often and can insert into notes. */
export const Phrase = content.extend({ id: uuidSchema })
export type Phrase = z.infer<typeof Phrase>

const owner = ['instructor'] as const
const byPhrase = z.strictObject({ phrase: uuidSchema })

export const phrasesContract = defineEndpoints({
  'GET /api/phrases': {
    summary: "The instructor's phrases and drills, the latest first",
    access: owner,
    reply: z.object({ phrases: z.array(Phrase) }),
  },
  'POST /api/phrases': {
    summary: 'Save a phrase; if an equal one exists, the reply has its id',
    access: owner,
    refusals: [404],
    body: Phrase,
    reply: z.object({ id: uuidSchema }),
    status: 201,
  },
  'PUT /api/phrases/{phrase}': { summary: 'Change a phrase', access: owner, params: byPhrase, body: content, status: 204 },
  'DELETE /api/phrases/{phrase}': { summary: 'Delete a phrase', access: owner, params: byPhrase, status: 204 },
})
