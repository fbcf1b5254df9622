import { H3 } from 'h3'
import { z } from 'zod'
import { defineEndpoints } from '../../modules/endpoint.ts'
import { site } from '../site.ts'
import { accountDeletionRoutes, childDeletionRoutes } from './account-deletion.ts'
import { accountSettingsRoutes } from './account-settings.ts'
import { adminMediaJobRoutes as work } from './admin-media-jobs.ts'
import { adminPersonRoutes } from './admin-person.ts'
import { adminSearchRoutes } from './admin-search.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { auditRoutes } from './audit-log-and-system-state.ts'
import { childExportRoutes, dataExportRoutes } from './data-export-request-and-download.ts'
import { familyConsentRoutes } from './family-consent.ts'
import { familyFolderRoutes } from './family-folders.ts'
import { familyMoneyRoutes } from './family-money.ts'
import { feedbackDeliveryRoutes } from './feedback-deliveries.ts'
import { folderRoutes } from './folders.ts'
import { guardianChangeRoutes } from './guardian-change.ts'
import { guardianRoutes } from './guardian-consent-and-sign-in.ts'
import { healthRoutes } from './health.ts'
import { instructorRoutes } from './instructors.ts'
import { leadRoutes } from './landing-page-leads-and-noscript-email-step.ts'
import { letterPreferenceRoutes } from './letter-preferences.ts'
import { loginRegistrationAndRecoveryRoutes } from './login-registration-and-recovery.ts'
import { modelClipRoutes } from './model-clips.ts'
import { openApiDocument } from './openapi.ts'
import { paymentRoutes } from './payments.ts'
import { phraseRoutes } from './phrases.ts'
import { familyProgressRoutes, progressRoutes } from './progress.ts'
import { ratingRoutes } from './ratings.ts'
import { resendWebhookRoutes } from './resend-webhook.ts'
import { reviewVideoRoutes } from './review-videos.ts'
import { rewardRoutes } from './rewards.ts'
import { errorToProblemResponse, mountRoutes, type Route, routesOfContract } from './routing.ts'
import { sharingRoutes } from './sharing.ts'
import { stripeWebhookRoutes } from './stripe-webhook.ts'
import { supportRoutes } from './support.ts'
import { uploadRoutes } from './uploads.ts'
import { vettingRoutes } from './vetting.ts'
import { voiceUploadUrlRoutes } from './voice-over-upload-and-playback-urls.ts'

const described = defineEndpoints({
  'GET /api/openapi.json': {
    summary: 'This description',
    access: 'anyone',
    reply: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
  },
})

export const apiRoutes: Route[] = [
  ...healthRoutes,
  ...routesOfContract(described, {
    'GET /api/openapi.json': ({ deps }) => openApiDocument(apiRoutes, { name: site.name, origin: deps.config.origin }),
  }),
  ...loginRegistrationAndRecoveryRoutes,
  ...guardianRoutes,
  ...guardianChangeRoutes,
  ...familyConsentRoutes,
  ...accountSettingsRoutes,
  ...accountDeletionRoutes,
  ...dataExportRoutes,
  ...childDeletionRoutes,
  ...childExportRoutes,
  ...instructorRoutes,
  ...leadRoutes,
  ...folderRoutes,
  ...feedbackDeliveryRoutes,
  ...familyFolderRoutes,
  ...modelClipRoutes,
  ...phraseRoutes,
  ...progressRoutes,
  ...familyProgressRoutes,
  ...uploadRoutes,
  ...work,
  ...adminSearchRoutes,
  ...adminPersonRoutes,
  ...auditRoutes,
  ...paymentRoutes,
  ...familyMoneyRoutes,
  ...letterPreferenceRoutes,
  ...stripeWebhookRoutes,
  ...resendWebhookRoutes,
  ...ratingRoutes,
  ...rewardRoutes,
  ...sharingRoutes,
  ...reviewVideoRoutes,
  ...supportRoutes,
  ...vettingRoutes,
  ...voiceUploadUrlRoutes,
]

export function createApi(deps: AppDependencies): H3 {
  const app = new H3({ silent: true, onError: (error, event) => errorToProblemResponse(event, deps, error) })
  mountRoutes(app, apiRoutes, deps)
  return app
}
