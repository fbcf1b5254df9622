import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../client/api.ts'
import { useQuery } from '../../client/query.ts'
import { site } from '../../site.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Loading } from '../../ui/spinner.tsx'
import { Failed } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.ts'

/** A parent or guardian agrees, by the link from our letter. */
export default function Guardian() {
  const [token] = useState(() => location.pathname.split('/').filter(Boolean).at(-1) ?? '')
  const { data, error, loading, retry } = useQuery('GET /api/guardian/{token}', { params: { token } })
  const [agreed, setAgreed] = useState(false)
  const [busy, setBusy] = useState(false)

  async function agree() {
    setBusy(true)
    try {
      await call('POST /api/guardian/{token}', { params: { token } })
      setAgreed(true)
    } catch (error) {
      toast({ title: 'That did not work', description: (error as Error).message, variant: 'destructive' })
    }
    setBusy(false)
  }

  if (error) return <Failed title="This link does not work" error={error} retry={retry} />
  if (loading || !data) return <Loading />
  const { playerFirstName: player } = data
  if (agreed || data.confirmed) {
    return (
      <div role="status" className="flex flex-col items-start gap-3">
        <ShieldCheck aria-hidden="true" size={32} strokeWidth={1.75} className="text-field" />
        <h1 className="text-28">Thank you, {data.guardianName}</h1>
        <p className="text-ink-2">You have agreed. {player} can now send videos to an instructor.</p>
        <ButtonLink href="/faq" variant="secondary" className="mt-2">
          How it works
        </ButtonLink>
      </div>
    )
  }
  return (
    <div className="flex flex-col items-start gap-4">
      <h1 className="text-28">May {player} train here?</h1>
      <p>
        Hello {data.guardianName}. {player} has registered on {site.name} and named you as parent or guardian. {player} is under 18, so you
        decide.
      </p>
      <ul className="list-disc space-y-2 pl-5 text-ink-2">
        <li>{player} uploads videos of their play, and an instructor they choose answers with notes, drawings and drills.</li>
        <li>Only {player}, that instructor and you can see the videos.</li>
        <li>You can read everything that passes between {player} and an instructor.</li>
        <li>A session costs $15.00 plus a small fee, paid with a saved card after the feedback.</li>
      </ul>
      <Button size="lg" wide busy={busy} onClick={agree}>
        I agree
      </Button>
      <p className="text-14 text-ink-2">
        If you do not know {player}, or do not agree, close this page and nothing happens. Write to{' '}
        <a className="link" href={`mailto:${site.supportEmail}`}>
          {site.supportEmail}
        </a>{' '}
        to have the account deleted.
      </p>
    </div>
  )
}
