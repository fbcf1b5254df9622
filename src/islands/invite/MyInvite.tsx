import { Copy, RefreshCw, Share2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../client/api.ts'
import { foresee, useQuery } from '../../client/query.ts'
import { site } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { Failed } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.ts'

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/** An instructor's invite code: see, copy, share, renew. */
export function MyInvite() {
  const { data, error, retry } = useQuery('GET /api/invite')
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)

  async function copy(url: string) {
    try {
      await navigator.clipboard.writeText(url)
      toast({ title: 'Link copied' })
    } catch {
      toast({ title: 'Not copied', description: 'Select the link and copy it by hand.', variant: 'destructive' })
    }
  }
  async function renew() {
    setBusy(true)
    try {
      foresee('GET /api/invite', {}, await call('POST /api/invite'))
      setAsking(false)
      toast({ title: 'New invite link', description: 'The old one no longer works.' })
    } catch (error) {
      toast({ title: 'Not renewed', description: (error as Error).message, variant: 'destructive' })
    }
    setBusy(false)
  }

  if (error) return <Failed title="Your invite link did not load" error={error} retry={retry} />
  if (!data) {
    return (
      <Waiting>
        <Skeleton className="h-44 w-full rounded-card!" />
      </Waiting>
    )
  }
  const share = { title: site.name, text: `Train with me on ${site.name}`, url: data.url }
  return (
    <Card>
      <h2 className="text-18">Invite your players</h2>
      <p className="mt-1 mb-4 max-w-measure text-ink-2">Players who register with your link are connected to you right away.</p>
      <TextField label="Your invite link" readOnly value={data.url} onFocus={e => e.target.select()} hint={`Code: ${data.code}`} />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button icon={<Copy {...icon} />} onClick={() => copy(data.url)}>
          Copy link
        </Button>
        {typeof navigator.share === 'function' && (
          <Button variant="secondary" icon={<Share2 {...icon} />} onClick={() => navigator.share(share).catch(() => {})}>
            Share
          </Button>
        )}
        <Button variant="quiet" icon={<RefreshCw {...icon} />} onClick={() => setAsking(true)}>
          Renew
        </Button>
      </div>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Renew your invite link?"
        about="The link you have shared so far stops working. Players who are connected stay connected."
        footer={
          <>
            <DialogClose>
              <Button variant="quiet">Keep it</Button>
            </DialogClose>
            <Button busy={busy} onClick={renew}>
              Renew
            </Button>
          </>
        }
      />
    </Card>
  )
}
