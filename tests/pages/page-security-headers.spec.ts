import { expect, test } from '../support/signed-in-fixtures.ts'

/** The expected content security policy of a page, without the hashes of its inline scripts. `storage`: the origin of the videos. */
const policy = (storage: string) => ({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'style-src-attr': [expect.stringMatching(/^'(none|unsafe-hashes)'$/)],
  'img-src': ["'self'", 'data:', 'blob:', storage],
  'media-src': ["'self'", 'blob:', storage],
  'connect-src': ["'self'", storage],
  'font-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'manifest-src': ["'self'"],
  'object-src': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
})

const pages = [
  ...['/', '/auth', '/pricing', '/faq', '/privacy-policy', '/terms-of-service', '/support', '/forgot-password', '/forgot-email'],
  ...['/reset-password', '/fix-instructor-profile', '/video-format-test', '/video-format-test/x', '/invite/ABCD2345', '/admin/register'],
  ...['/admin/login', '/player/dashboard', '/instructor/dashboard', '/admin/dashboard', '/instructor/folder/x', '/nothing-here'],
]

test('every page allows inline scripts only by hash', async ({ page, member }) => {
  const { user } = await member('instructor')
  for (const path of [...pages, `/i/${user.profileSlug}`]) {
    const headers = (await page.request.get(path)).headers()
    const rules = Object.fromEntries(
      headers['content-security-policy']!.split('; ').map(rule => {
        const [name, ...values] = rule.split(' ')
        return [name!, values.filter(value => !/^'sha256-[\w+/]{43}='$/.test(value))]
      }),
    )
    const storage = rules['connect-src']![1]!
    expect(storage, path).toMatch(/^http:\/\/[\w.]+:\d+$/)
    expect(rules, path).toEqual(policy(storage))
    expect(headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('geolocation=()'),
    })
  }
})
