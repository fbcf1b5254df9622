import { Component, type ReactNode } from 'react'
import { ButtonLink } from './button.tsx'
import { ErrorState } from './empty-and-error-states.tsx'

/**
 * Shows a message if a screen throws during render, because React would otherwise leave an empty page. Drafts and recordings are stored on
 * the device and survive a reload.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <div className="page py-16">
        <h1 className="sr-only">Something went wrong</h1>
        <ErrorState
          title="Something went wrong"
          error="This is our fault, and what you wrote is saved. Try again. If it keeps happening, tell us what you were doing."
          retry={() => location.reload()}
          action={
            <ButtonLink variant="quiet" href="/support">
              Email us
            </ButtonLink>
          }
        />
      </div>
    )
  }
}
