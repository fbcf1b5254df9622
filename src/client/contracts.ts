import type { accountSettings, accounts, guardianChanges, guardians } from '../../modules/accounts/contract.ts'
import type { administration } from '../../modules/administration/contract.ts'
import type { audit } from '../../modules/audit/contract.ts'
import type { consents } from '../../modules/consent/contract.ts'
import type { deliveries, familyFolders, folders, uploads } from '../../modules/folders/contract.ts'
import type { instructors } from '../../modules/instructors/contract.ts'
import type { leads } from '../../modules/leads/contract.ts'
import type { letterPreferences } from '../../modules/letters/contract.ts'
import type { mediaWork } from '../../modules/media/contract.ts'
import type { familyMoney, payments } from '../../modules/payments/contract.ts'
import type { phrases } from '../../modules/phrases/contract.ts'
import type { personalExport, privacy } from '../../modules/privacy/contract.ts'
import type { familyProgress, progress } from '../../modules/progress/contract.ts'
import type { ratings } from '../../modules/ratings/contract.ts'
import type { voices } from '../../modules/reviews/contract.ts'
import type { rewards } from '../../modules/rewards/contract.ts'
import type { sharing } from '../../modules/sharing/contract.ts'
import type { support } from '../../modules/support/contract.ts'
import type { vetting } from '../../modules/vetting/contract.ts'

/** Every call that the browser may make; a module adds its contract here. */
export type Api = typeof accounts &
  typeof administration &
  typeof accountSettings &
  typeof audit &
  typeof consents &
  typeof folders &
  typeof deliveries &
  typeof familyFolders &
  typeof guardians &
  typeof guardianChanges &
  typeof instructors &
  typeof leads &
  typeof mediaWork &
  typeof payments &
  typeof familyMoney &
  typeof letterPreferences &
  typeof phrases &
  typeof progress &
  typeof familyProgress &
  typeof ratings &
  typeof rewards &
  typeof personalExport &
  typeof privacy &
  typeof sharing &
  typeof support &
  typeof uploads &
  typeof vetting &
  typeof voices
