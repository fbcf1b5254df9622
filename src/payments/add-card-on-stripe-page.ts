import { useEffect, useState } from 'react'
import { callApi } from '../client/api.ts'
import { isFamilyPage } from '../client/is-family-page.ts'
import { navigateAndWaitForReturn } from '../client/navigate-and-wait-for-return.ts'
import { refetchQueries } from '../client/query.ts'
import { removeQueryParams } from '../client/remove-query-params.ts'
import { sendCommand } from '../client/send-command.ts'
import { errorMessage, useCommand } from '../client/use-command.ts'
import { usePageLocation } from '../page-load/preloaded-page-data-context.ts'
import { toast } from '../ui/toast.ts'
import { cardName } from './card-names-and-expiry.ts'

/** A command that navigates to Stripe's hosted page to save a card. `back`: our path to return to. */
export function useAddCard(back: string) {
  const start = useCommand()
  return {
    busy: start.busy,
    message: start.message,
    go: () =>
      start.run(async () => {
        const { url } = await (isFamilyPage(back)
          ? sendCommand('POST /api/family/cards/setup', { body: { back } })
          : sendCommand('POST /api/cards/setup', { body: { back } }))
        await navigateAndWaitForReturn(url)
      }),
  }
}

/**
 * After a return from Stripe's hosted page (`?setup=…`), saves the entered card once.
 * @param quiet show no toast after success, because the screen shows the card itself
 * @returns whether the card is being saved
 */
export function useSaveCardAfterStripeRedirect(quiet = false): boolean {
  const { search } = usePageLocation()
  const [saving, setSaving] = useState(() => new URLSearchParams(search).has('setup'))
  useEffect(() => {
    const session = new URLSearchParams(location.search).get('setup')
    if (!session) return
    const confirmed = isFamilyPage(location.pathname)
      ? callApi('POST /api/family/cards/confirm', { body: { session } })
      : callApi('POST /api/cards/confirm', { body: { session } })
    confirmed
      .then(
        ({ card }) => {
          if (card && !quiet) toast({ title: 'Card saved', description: `${cardName(card)} is ready to use.` })
        },
        error => toast({ title: 'Card not saved', description: errorMessage(error), variant: 'destructive' }),
      )
      .finally(() => {
        removeQueryParams('setup')
        refetchQueries('GET /api/billing', 'GET /api/family/money')
        setSaving(false)
      })
  }, [quiet])
  return saving
}
