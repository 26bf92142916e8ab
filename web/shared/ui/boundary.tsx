import { Component, type ReactNode } from 'react'
import { ErrorNotice } from './states.tsx'

export class Boundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <main className="center">
        <ErrorNotice error={this.state.error} onRetry={() => location.reload()} />
      </main>
    )
  }
}
