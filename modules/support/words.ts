import { asText, type Words } from '../words.ts'
import type { SupportEvent } from './request.ts'

export const supportWords: Words<SupportEvent> = {
  SupportRequested: { audit: () => 'asked support' },
  SupportAnswered: { audit: () => 'answered a support request' },
  SupportRequestDeleted: { audit: () => 'deleted a support request that was kept long enough' },
  SupportStatusSet: { audit: d => `set a support request to ${asText(d.status)}` },
}
