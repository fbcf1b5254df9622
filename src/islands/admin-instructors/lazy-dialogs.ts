import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

// Forms and their rules weigh more than the page, so they come with the first press.
export const NewCheckDialog = lazyWithRetry(() => import('./NewCheckDialog.tsx').then(m => ({ default: m.NewCheckDialog })))
export const ReasonDialog = lazyWithRetry(() => import('./ReasonDialog.tsx').then(m => ({ default: m.ReasonDialog })))
