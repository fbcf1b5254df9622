import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

// Forms and their validation rules are larger than the page itself, so they load when a dialog is first opened.
export const LazyNewCheckDialog = lazyWithRetry(() => import('./NewCheckDialog.tsx').then(m => ({ default: m.NewCheckDialog })))
export const LazyDecisionWithReasonDialog = lazyWithRetry(() =>
  import('./DecisionWithReasonDialog.tsx').then(m => ({ default: m.DecisionWithReasonDialog })),
)
