import { Component, type ReactNode } from 'react'
import { ErrorPage } from './error-page.tsx'

/** A screen that breaks is replaced by the error page, so that nobody looks at a blank one. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    return this.state.broken ? <ErrorPage /> : this.props.children
  }
}
