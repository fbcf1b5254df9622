import { Login } from '../../accounts/Login.tsx'
import { wayOf } from '../../accounts/way.ts'
import { useAlive } from '../../client/alive.ts'

const way = wayOf('')

export default function AdminLogin() {
  const root = useAlive<HTMLDivElement>()
  return (
    <div ref={root}>
      <Login way={way} typed={{}} />
    </div>
  )
}
