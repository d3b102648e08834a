import { useEffect, type ReactNode, type RefObject } from 'react'
import { AllInvoicesLink } from './all-invoices-link.tsx'
import { Bar } from '../shell/bar.tsx'
import css from './debt-layout.module.css'
import { Footer } from '../shell/footer.tsx'

type DebtLayoutProps = {
  hero: ReactNode
  payment: ReactNode
  paymentRef: RefObject<HTMLElement | null>
  /** Calculation and documents on narrow screens, as one card. */
  rows: ReactNode
  /** What follows: history and help. */
  children: ReactNode
}

/** Tells the style sheet how high the column is: it stands still while the page moves only as far as it fits. */
function useKnownHeight(column: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = column.current
    if (!element) return
    const seen = new ResizeObserver(() =>
      element.style.setProperty('--pay-height', `${element.offsetHeight}px`),
    )
    seen.observe(element)
    return () => seen.disconnect()
  }, [column])
}

/**
 * What was drawn once stays drawn. Else it keeps the height of then where nobody sees it, though more comes into it, and the
 * End key leads to an end that is none.
 */
function stayDrawn(part: HTMLElement | null): void {
  part?.addEventListener('contentvisibilityautostatechange', (event) => {
    const { skipped } = event as ContentVisibilityAutoStateChangeEvent
    if (!skipped) part.style.contentVisibility = 'visible'
  })
}

/** Where the parts of an invoice or a claim stand: one column, or facts left and payment right. */
export function DebtLayout({ hero, payment, paymentRef, rows, children }: DebtLayoutProps) {
  useKnownHeight(paymentRef)
  return (
    <>
      <Bar signedIn place="invoices" />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <AllInvoicesLink />
        <div className={css.left}>{hero}</div>
        <section className={css.pay} ref={paymentRef} aria-labelledby="payment-heading">
          {payment}
        </section>
        <div className={css.more} ref={stayDrawn}>
          <div className={css.rows}>{rows}</div>
          {children}
        </div>
      </main>
      <Footer />
    </>
  )
}
