import { Component, type ReactNode } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import css from '../parts/block-failed.module.css'

type Props = { readonly children: ReactNode }

/** A view that breaks takes nothing else of the page with it. */
export class ErrorBoundary extends Component<Props, { readonly isBroken: boolean }> {
  override state = { isBroken: false }
  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }
  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children
    return (
      <div className={css.block} role="alert">
        <h1 tabIndex={-1}>{t('office.broken')}</h1>
        <p>{t('office.nothing_changed')}</p>
        <OfficeButton onClick={() => location.reload()}>{t('office.try_again')}</OfficeButton>
      </div>
    )
  }
}
