import { Component, type ReactNode } from 'react'

type BoundaryProps = { broken: ReactNode; children: ReactNode }

/** A screen that breaks is replaced by `broken`, so that nobody looks at a blank one. */
export class ErrorBoundary extends Component<BoundaryProps, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    return this.state.broken ? this.props.broken : this.props.children
  }
}
