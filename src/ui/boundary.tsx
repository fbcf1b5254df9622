import { Component, type ReactNode } from 'react'
import { Failed } from './state.tsx'

/** A fault of ours while a screen is drawn: React would leave an empty page. What was made is kept on the device and read again after a refresh. */
export class Boundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <div className="page py-16">
        <Failed
          title="This page broke"
          error="What you made is kept. If it stays like this, write to us."
          retry={() => location.reload()}
        />
      </div>
    )
  }
}
