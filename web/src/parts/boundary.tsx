import { Component, type ReactNode } from 'react'
import { ErrorCard } from './states.tsx'

type Props = { readonly children: ReactNode }
type State = { readonly error: unknown }

/** Shows an error of a page in its place. The rest of the page stays. */
export class Boundary extends Component<Props, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return (
      <ErrorCard
        error={this.state.error}
        holds="The runs themselves go on: this page only shows them."
        onRetry={() => location.reload()}
      />
    )
  }
}
