import { consentPersonalText } from '../../modules/consent/personal-text.ts'
import { folderPersonalText } from '../../modules/folders/personal-text.ts'
import { modelLibraryPersonalText } from '../../modules/model-clips/personal-text.ts'
import { paymentPersonalText, payoutPersonalText, purchasePersonalText } from '../../modules/payments/personal-text.ts'
import type { AnyPersonalTextFields } from '../../modules/privacy/personal-text.ts'
import { ratingPersonalText } from '../../modules/ratings/personal-text.ts'
import { supportPersonalText } from '../../modules/support/personal-text.ts'
import { vettingPersonalText } from '../../modules/vetting/personal-text.ts'

/** The event fields that are encrypted, and the owner of each field's key. */
export const personalTexts: AnyPersonalTextFields[] = [
  folderPersonalText,
  supportPersonalText,
  vettingPersonalText,
  paymentPersonalText,
  payoutPersonalText,
  purchasePersonalText,
  consentPersonalText,
  ratingPersonalText,
  modelLibraryPersonalText,
]

/**
 * Tells `personalRecordIdsOf` which events contain a person's texts. `types`: the event types. `ownStreams`: the nouns of streams that are
 * named after the person, such as `payout-{person}`; all other streams are found through the person's folders, payments and requests.
 */
export const personalTextLocations = {
  types: personalTexts.flatMap(table =>
    Object.entries<readonly string[]>(table.fields).flatMap(([type, paths]) => (paths.length ? [type] : [])),
  ),
  ownStreams: personalTexts.filter(table => table.person === 'id').map(table => table.stream),
}
