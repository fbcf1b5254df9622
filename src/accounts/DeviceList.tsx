import { Laptop, Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Reply } from '../client/api.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'

type Session = Reply<'GET /api/sessions'>['sessions'][number]

/** Signed-in devices, with a logout button for each except the current one. @param busy the id of the session that is being ended */
export const DeviceList = ({
  sessions,
  busy,
  onEnd,
}: {
  sessions: Session[]
  busy: string | undefined
  onEnd: (session: string) => void
}): ReactNode => (
  <Card flush>
    <ul className="divide-y divide-line">
      {sessions.map(s => {
        const Icon = /Phone|iPad|Android|iOS/.test(s.device) ? Smartphone : Laptop
        return (
          <li key={s.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4 sm:px-6">
            <Icon aria-hidden="true" size={24} strokeWidth={1.5} className="text-ink-2" />
            <div className="min-w-0 flex-1">
              <p className="font-medium">{s.device}</p>
              <p className="text-14 text-ink-2">
                Last used <RelativeTime at={s.lastUsed} />
              </p>
            </div>
            {s.current ? (
              <Badge tone="field" dot>
                This device
              </Badge>
            ) : (
              <Button variant="secondary" size="sm" busy={busy === s.id} aria-label={`Log out ${s.device}`} onClick={() => onEnd(s.id)}>
                Log out
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  </Card>
)
