import { parseAuthUrlParams } from '../../accounts/auth-url-params.ts'
import { LoginForm } from '../../accounts/LoginForm.tsx'
import { useReportHydration } from '../../page-load/report-hydration.ts'

const query = parseAuthUrlParams('')

export default function AdminLogin() {
  const root = useReportHydration<HTMLDivElement>()
  return (
    <div ref={root}>
      <LoginForm query={query} typed={{}} />
    </div>
  )
}
