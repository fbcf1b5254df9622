import { useEffect, useState } from 'react'
import type { AuthFormValues } from '../../accounts/keep-typed-auth-values.ts'
import { LoginForm } from '../../accounts/LoginForm.tsx'
import { type AuthUrlParams, parseAuthUrlParams } from '../../accounts/parse-auth-page-query.ts'
import { useSignalHydration } from '../../page-load/signal-hydration.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { RegisterTab } from './RegisterTab.tsx'

/**
 * Login and registration as tabs. The page is prerendered without a query; the query's tab, email and invitation are applied on hydration.
 */
export default function Auth() {
  const [query, setQuery] = useState<AuthUrlParams>(() => parseAuthUrlParams(''))
  const [typed] = useState<AuthFormValues>({})
  /** The tab requested in the URL; undefined until the URL has been read. */
  const [opened, setOpened] = useState<AuthUrlParams['tab']>()
  useEffect(() => {
    const query = parseAuthUrlParams(location.search)
    setQuery(query)
    setOpened(query.tab)
  }, [])
  // The class hides the prerendered login form. Removing it before the right tab is rendered would flash that form.
  useEffect(() => {
    if (opened) document.documentElement.classList.remove('by-query')
  }, [opened])
  const root = useSignalHydration<HTMLDivElement>()
  return (
    <div ref={root}>
      <h1 className="text-28">{query.tab === 'login' ? 'Welcome back' : 'Create your account'}</h1>
      <p className="mt-1 mb-6 text-ink-2">{query.tab === 'login' ? 'Log in to see what is new.' : 'It takes less than a minute.'}</p>
      <Tabs
        // Tabs renders a chosen panel one render late. The new key remounts it on the register tab, so that the login form never flashes.
        key={opened === 'register' ? 'register' : 'built'}
        label="Log in or register"
        look="pill"
        value={query.tab}
        onValueChange={tab => setQuery({ ...query, tab: tab as AuthUrlParams['tab'] })}
        tabs={[
          { value: 'login', label: 'Login', content: <LoginForm query={query} typed={typed} /> },
          {
            value: 'register',
            label: 'Register',
            content: <RegisterTab query={query} typed={typed} onRole={role => setQuery({ ...query, role })} />,
          },
        ]}
      />
    </div>
  )
}
