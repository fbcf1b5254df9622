import { beforeEach, expect, test } from 'vitest'
import { noscriptSignupPageRenderer } from '../../src/server/noscript-signup-page-renderer.ts'

const around = { origin: 'https://ours.test', storage: 'https://videos.test' }
let rendered: string[]
let broken: boolean
let page: ReturnType<typeof noscriptSignupPageRenderer>
beforeEach(() => {
  rendered = []
  broken = false
  page = noscriptSignupPageRenderer(async address => {
    rendered.push(address)
    if (broken) throw new Error('not now')
    const query = new URL(address, around.origin).searchParams
    return {
      type: 'text/html',
      body: `<p>${query.get('step')}, ${query.get('why')}</p><input value="${query.get('email') ?? ''}"><script>1</script>`,
    }
  }, around)
})
const look = async (query: Record<string, string>) => {
  const { identity } = await page(`?${new URLSearchParams(query)}`)
  return {
    html: identity.body.toString(),
    headers: Object.fromEntries(identity.headers.flatMap((h, i, all) => (i % 2 ? [] : [[h, all[i + 1]]]))),
  }
}

test('each variant of the sign-up page is rendered only once for all requests', async () => {
  const people = Array.from({ length: 300 }, (_, i) => `ana${i}@example.com`)
  const pages = await Promise.all(people.map(email => look({ step: 'login', email, more: email })))
  expect(rendered).toHaveLength(1)
  for (const [i, { html, headers }] of pages.entries()) {
    expect(html).toBe(`<p>login, null</p><input value="${people[i]}"><script>1</script>`)
    expect(headers['cache-control']).toBe('no-store')
  }
  for (const step of ['', 'role', 'login', 'email', 'a', 'b'])
    for (const why of ['', 'blocked', 'c', 'd']) for (const email of ['', 'a@b.test', 'c@d.test']) await look({ step, why, email })
  expect(rendered.length).toBeLessThanOrEqual(16)
  expect(new Set(rendered).size).toBe(rendered.length)
})

test('text typed by the visitor is escaped', async () => {
  const email = `"><script>alert('$&')</script>&`
  const [typed, plain] = [await look({ step: 'role', email }), await look({ step: 'role', email: 'a@b.test' })]
  expect(typed.html).toContain('value="&quot;&gt;&lt;script&gt;alert(&#39;$&amp;&#39;)&lt;/script&gt;&amp;"')
  expect(typed.headers['content-security-policy']).toBe(plain.headers['content-security-policy'])
  expect((await look({ email: 'x'.repeat(300) })).html).toContain(`value="${'x'.repeat(254)}"`)
})

test('a page whose rendering failed is rendered again', async () => {
  broken = true
  await expect(look({ step: 'role' })).rejects.toThrow('not now')
  broken = false
  expect((await look({ step: 'role' })).html).toContain('role')
})
