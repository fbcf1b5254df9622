import { useEffect, useState } from 'react'
import { removeQueryParams } from '../client/remove-query-params.ts'
import { usePageLocation } from '../page-load/preloaded-page-data-context.ts'

/**
 * How long the screen waits for the outcome of a charge that the payer has confirmed with the bank. A webhook reports it, usually within
 * seconds.
 */
const OUTCOME_WAIT_MS = 30_000

/**
 * Whether the payer has just returned from the bank's page, so that the outcome of the charge may not be known yet. `back`: the path to
 * which the bank sends the payer back; the server has added `authenticated=1` to its query.
 */
export function useIsBackFromBank(back: string): boolean {
  const { pathname, search } = usePageLocation()
  const [isBack, setIsBack] = useState(() => new URLSearchParams(search).has('authenticated') && back.split('?')[0] === pathname)
  useEffect(() => {
    if (!isBack) return
    removeQueryParams('authenticated')
    const timer = setTimeout(() => setIsBack(false), OUTCOME_WAIT_MS)
    return () => clearTimeout(timer)
  }, [isBack])
  return isBack
}
