/** A fault of the application itself: said, instead of a blank page. */
import { Component, type ReactNode } from 'react'
import { Failure } from './states.tsx'

export class Boundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <main className="center">
        <Failure error={this.state.error} again={() => location.reload()} />
      </main>
    )
  }
}
