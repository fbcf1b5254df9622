import { useAlive } from '../../client/alive.ts'
import { Login } from './Login.tsx'
import { wayOf } from './way.ts'

const way = wayOf('')

export default function AdminLogin() {
  const root = useAlive<HTMLDivElement>()
  return (
    <div ref={root}>
      <Login way={way} typed={{}} />
    </div>
  )
}
