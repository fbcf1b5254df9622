import { useEffect, useState } from 'react'
import { Login } from '../../accounts/Login.tsx'
import type { Typed } from '../../accounts/typed.ts'
import { type Way, wayOf } from '../../accounts/way.ts'
import { useReportHydrated } from '../../client/report-hydrated.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { Register } from './Register.tsx'

/** The way in: log in or register. Built without an address; what the address says is taken in when it wakes. */
export default function Auth() {
  const [way, setWay] = useState<Way>(() => wayOf(''))
  const [typed] = useState<Typed>({})
  /** The tab that the address opens, once it is read. */
  const [opened, setOpened] = useState<Way['tab']>()
  useEffect(() => {
    const way = wayOf(location.search)
    setWay(way)
    setOpened(way.tab)
  }, [])
  // Removing the class before the form has changed would show the login form for a moment.
  useEffect(() => {
    if (opened) document.documentElement.classList.remove('by-query')
  }, [opened])
  const root = useReportHydrated<HTMLDivElement>()
  return (
    <div ref={root}>
      <h1 className="text-28">{way.tab === 'login' ? 'Welcome back' : 'Create your account'}</h1>
      <p className="mt-1 mb-6 text-ink-2">
        {way.tab === 'login' ? 'Log in to see what is new on your field.' : 'It takes less than a minute.'}
      </p>
      <Tabs
        // Tabs show their panel one render after they are chosen; those that begin with the register tab have never shown another.
        key={opened === 'register' ? 'register' : 'built'}
        label="Log in or register"
        look="pill"
        value={way.tab}
        onValueChange={tab => setWay({ ...way, tab: tab as Way['tab'] })}
        tabs={[
          { value: 'login', label: 'Login', content: <Login way={way} typed={typed} /> },
          { value: 'register', label: 'Register', content: <Register way={way} typed={typed} onRole={role => setWay({ ...way, role })} /> },
        ]}
      />
    </div>
  )
}
