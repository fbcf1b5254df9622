import { Resend } from 'resend'
import type { ProviderFinding } from '../provider-finding.ts'

/**
 * Looks whether Resend would take letters from this sender. Only reads.
 * @param from `Name <address>`
 */
export async function checkSender(resend: { apiKey: string; url?: string }, from: string): Promise<ProviderFinding[]> {
  const client = new Resend(resend.apiKey, resend.url ? { baseUrl: resend.url } : {})
  const key = 'the key of Resend is valid'
  const { data, error } = await client.domains.list()
  // A key that may only send is the better one to run with; it cannot look at domains.
  if (error?.name === 'restricted_api_key')
    return [
      { check: key, isTrue: true, advice: '' },
      {
        check: 'the domain of MAIL_FROM is verified',
        isTrue: false,
        advice: 'The key may only send letters. Look in the dashboard of Resend, or run this once with a key of full access.',
      },
    ]
  if (error) return [{ check: key, isTrue: false, advice: `Resend says: ${error.message}` }]
  const domain = /@([^\s<>]+?)>?\s*$/.exec(from)?.[1]?.toLowerCase() ?? ''
  const found = data.data.find(({ name }) => name.toLowerCase() === domain)
  return [
    { check: key, isTrue: true, advice: '' },
    {
      check: 'the domain of MAIL_FROM is verified',
      isTrue: found?.status === 'verified',
      advice: found
        ? `Resend says that ${domain} is ${found.status.replaceAll('_', ' ')}. Set the DNS records that its dashboard shows.`
        : `Add ${domain || 'a domain'} in the dashboard of Resend and set its DNS records; MAIL_FROM is "${from}".`,
    },
  ]
}
