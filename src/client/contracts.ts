import type {
  accountSettingsContract,
  accountsContract,
  guardianChangeContract,
  guardiansContract,
} from '../../modules/accounts/contract.ts'
import type { adminPersonContract } from '../../modules/admin-person/contract.ts'
import type { adminSearchContract } from '../../modules/admin-search/contract.ts'
import type { auditContract } from '../../modules/audit/contract.ts'
import type { consentContract } from '../../modules/consent/contract.ts'
import type { deliveriesContract, familyFoldersContract, foldersContract } from '../../modules/folders/contract.ts'
import type { instructorsContract } from '../../modules/instructors/contract.ts'
import type { leadsContract } from '../../modules/leads/contract.ts'
import type { letterPreferencesContract } from '../../modules/letters/contract.ts'
import type { adminMediaJobContract } from '../../modules/media/contract.ts'
import type { modelClipsContract } from '../../modules/model-clips/contract.ts'
import type { familyMoneyContract, paymentsContract } from '../../modules/payments/contract.ts'
import type { phrasesContract } from '../../modules/phrases/contract.ts'
import type {
  accountDeletionContract,
  childDeletionContract,
  childExportContract,
  dataExportContract,
} from '../../modules/privacy/contract.ts'
import type { familyProgressContract, progressContract } from '../../modules/progress/contract.ts'
import type { ratingsContract } from '../../modules/ratings/contract.ts'
import type { reviewVideosContract } from '../../modules/review-videos/contract.ts'
import type { voiceUploadContract } from '../../modules/reviews/contract.ts'
import type { rewardsContract } from '../../modules/rewards/contract.ts'
import type { sharingContract } from '../../modules/sharing/contract.ts'
import type { supportContract } from '../../modules/support/contract.ts'
import type { uploadsContract } from '../../modules/uploads/contract.ts'
import type { vettingContract } from '../../modules/vetting/contract.ts'

/** Every call that the browser may make; each module adds its contract here. */
export type ApiContracts = typeof accountsContract &
  typeof adminPersonContract &
  typeof adminSearchContract &
  typeof accountSettingsContract &
  typeof auditContract &
  typeof consentContract &
  typeof foldersContract &
  typeof deliveriesContract &
  typeof familyFoldersContract &
  typeof guardiansContract &
  typeof guardianChangeContract &
  typeof instructorsContract &
  typeof leadsContract &
  typeof adminMediaJobContract &
  typeof modelClipsContract &
  typeof paymentsContract &
  typeof familyMoneyContract &
  typeof letterPreferencesContract &
  typeof phrasesContract &
  typeof progressContract &
  typeof familyProgressContract &
  typeof ratingsContract &
  typeof rewardsContract &
  typeof dataExportContract &
  typeof childDeletionContract &
  typeof childExportContract &
  typeof accountDeletionContract &
  typeof sharingContract &
  typeof reviewVideosContract &
  typeof supportContract &
  typeof uploadsContract &
  typeof vettingContract &
  typeof voiceUploadContract
