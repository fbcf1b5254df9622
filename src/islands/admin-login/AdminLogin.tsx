import { LoginForm } from '../../accounts/LoginForm.tsx'
import { parseAuthUrlParams } from '../../accounts/parse-auth-page-query.ts'
import { useSignalHydration } from '../../page-load/signal-hydration.ts'

const query = parseAuthUrlParams('')

export default function AdminLogin() {
  const root = useSignalHydration<HTMLDivElement>()
  return (
    <div ref={root}>
      <LoginForm query={query} typed={{}} />
    </div>
  )
}
