import { parseAuthQuery } from '../../accounts/auth-query.ts'
import { LoginForm } from '../../accounts/LoginForm.tsx'
import { useReportHydrated } from '../../page-load/report-hydrated.ts'

const query = parseAuthQuery('')

export default function AdminLogin() {
  const root = useReportHydrated<HTMLDivElement>()
  return (
    <div ref={root}>
      <LoginForm query={query} typed={{}} />
    </div>
  )
}
