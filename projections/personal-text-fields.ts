import { consentPersonalTextFields } from '../modules/consent/personal-text-fields.ts'
import { folderPersonalTextFields } from '../modules/folders/personal-text-fields.ts'
import { modelLibraryPersonalTextFields } from '../modules/model-clips/personal-text-fields.ts'
import {
  paymentPersonalTextFields,
  payoutPersonalTextFields,
  purchasePersonalTextFields,
} from '../modules/payments/personal-text-fields.ts'
import { accountPersonalTextFields } from '../modules/privacy/account-event-personal-text-fields.ts'
import type { AnyPersonalTextFields } from '../modules/privacy/get-and-set-texts-by-path.ts'
import { ratingPersonalTextFields } from '../modules/ratings/personal-text-fields.ts'
import { supportPersonalTextFields } from '../modules/support/personal-text-fields.ts'
import { vettingPersonalTextFields } from '../modules/vetting/personal-text-fields.ts'

/** The event fields that are encrypted, and the owner of each field's key. */
export const personalTextFields: AnyPersonalTextFields[] = [
  folderPersonalTextFields,
  supportPersonalTextFields,
  vettingPersonalTextFields,
  paymentPersonalTextFields,
  payoutPersonalTextFields,
  purchasePersonalTextFields,
  consentPersonalTextFields,
  ratingPersonalTextFields,
  modelLibraryPersonalTextFields,
  accountPersonalTextFields,
]

/**
 * Tells `recordIdsOfPerson` which events contain a person's texts. `types`: the event types. `ownStreams`: the nouns of streams that are
 * named after the person, such as `payout-{person}`; all other streams are found through the person's folders, payments and requests.
 */
export const personalTextEventTypesAndStreams = {
  types: personalTextFields.flatMap(table =>
    Object.entries<readonly string[]>(table.fields).flatMap(([type, paths]) => (paths.length ? [type] : [])),
  ),
  ownStreams: personalTextFields.filter(table => table.person === 'id').map(table => table.stream),
}
