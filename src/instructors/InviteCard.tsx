import { Copy, RefreshCw, Share2 } from 'lucide-react'
import { useState } from 'react'
import { copyToClipboard } from '../client/clipboard.ts'
import { errorMessage, useCommand } from '../client/command.ts'
import { setQueryData, useQuery } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { site } from '../site.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CardError } from '../ui/empty-and-error-states.tsx'
import { FieldError } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Copies an invite link to the clipboard. */
export const copyInviteLink = (url: string) => copyToClipboard('link', url, 'Send it to your players. It connects them to you.')

/** An instructor's invite code and link, with buttons to copy, share and renew it. */
export function InviteCard() {
  const { data, error, retry } = useQuery('GET /api/invite')
  const renew = useCommand()
  const [asking, setAsking] = useState(false)
  async function renewCode() {
    const done = await renew.run(async () => {
      setQueryData('GET /api/invite', {}, await sendCommand('POST /api/invite', {}))
    })
    if (!done) return
    setAsking(false)
    toast({ title: 'New code', description: 'The old one no longer works.' })
  }
  return (
    <section aria-labelledby="invite" className="rounded-card border border-line bg-paper p-4 sm:p-6">
      <h2 id="invite" className="text-18">
        Invite your players
      </h2>
      <p className="mt-1 text-14 text-ink-2">Players who register with your link are connected to you right away.</p>
      {error && !data ? (
        <CardError className="mt-4" error={errorMessage(error)} retry={retry} />
      ) : !data ? (
        <Skeleton className="mt-4 h-35" />
      ) : (
        <>
          <div className="mt-4 flex items-center justify-between gap-2 rounded-field bg-field-wash py-1 pr-1 pl-4">
            <code className="min-w-0 font-sans text-22 font-heavy tracking-wide wrap-anywhere text-field">{data.code}</code>
            <IconButton label="Renew the code" onClick={() => setAsking(true)}>
              <RefreshCw {...icon} />
            </IconButton>
          </div>
          <p className="mt-2 truncate text-13 text-ink-2 select-all">{data.url}</p>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button variant="secondary" icon={<Copy {...icon} />} onClick={() => copyInviteLink(data.url)}>
              Copy link
            </Button>
            {'share' in navigator && (
              <Button
                variant="quiet"
                icon={<Share2 {...icon} />}
                onClick={() =>
                  navigator.share({ url: data.url, text: `Send me your swings on ${site.name}.` }).catch(() => {
                    // Closed without sharing.
                  })
                }
              >
                Share
              </Button>
            )}
          </div>
          <Dialog
            open={asking}
            onOpenChange={setAsking}
            title="Renew your invite code?"
            about="The code and the link you have shared so far stop working. Players who are connected stay connected."
            footer={
              <>
                <Button variant="quiet" onClick={() => setAsking(false)}>
                  Keep it
                </Button>
                <Button busy={renew.busy} onClick={renewCode}>
                  Renew
                </Button>
              </>
            }
          >
            <FieldError id="invite-error" error={renew.message} />
          </Dialog>
        </>
      )}
    </section>
  )
}
