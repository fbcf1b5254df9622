import { consentText } from '../../modules/consent/personal-text.ts'
import { folderTextFields } from '../../modules/folders/personal-text.ts'
import { modelLibraryText } from '../../modules/model-clips/personal-text.ts'
import { paymentText, payoutText, purchaseText } from '../../modules/payments/personal-text.ts'
import type { AnyPersonalText } from '../../modules/privacy/personal-text.ts'
import { ratingText } from '../../modules/ratings/personal-text.ts'
import { supportText } from '../../modules/support/personal-text.ts'
import { vettingText } from '../../modules/vetting/personal-text.ts'

/** The event fields that are encrypted, and the owner of each field's key. */
export const personalTexts: AnyPersonalText[] = [
  folderTextFields,
  supportText,
  vettingText,
  paymentText,
  payoutText,
  purchaseText,
  consentText,
  ratingText,
  modelLibraryText,
]

/** Where a person's words are in the log: in events of these types, among others in the streams that are named by the person's id. */
export const personalTextLocations = {
  types: personalTexts.flatMap(table =>
    Object.entries<readonly string[]>(table.fields).flatMap(([type, paths]) => (paths.length ? [type] : [])),
  ),
  ownStreams: personalTexts.filter(table => table.person === 'id').map(table => table.stream),
}
