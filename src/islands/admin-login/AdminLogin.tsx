import { Login } from '../../accounts/Login.tsx'
import { wayOf } from '../../accounts/way.ts'
import { useReportHydrated } from '../../client/report-hydrated.ts'

const way = wayOf('')

export default function AdminLogin() {
  const root = useReportHydrated<HTMLDivElement>()
  return (
    <div ref={root}>
      <Login way={way} typed={{}} />
    </div>
  )
}
