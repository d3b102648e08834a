import type { ReactNode, Ref } from 'react'
import { AllInvoicesLink } from './all-invoices-link.tsx'
import { Bar } from './bar.tsx'
import css from './debt-layout.module.css'
import { Footer } from './footer.tsx'

type DebtLayoutProps = {
  hero: ReactNode
  payment: ReactNode
  paymentRef: Ref<HTMLElement>
  /** Calculation and documents on narrow screens, as one card. */
  rows: ReactNode
  /** What follows: history and help. */
  children: ReactNode
}

/** Where the parts of an invoice or a claim stand: one column, or facts left and payment right. */
export function DebtLayout({ hero, payment, paymentRef, rows, children }: DebtLayoutProps) {
  return (
    <>
      <Bar signedIn place="invoices" />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <AllInvoicesLink />
        <div className={css.left}>{hero}</div>
        <section className={css.pay} ref={paymentRef} aria-labelledby="payment-heading">
          {payment}
        </section>
        <div className={css.more}>
          <div className={css.rows}>{rows}</div>
          {children}
        </div>
      </main>
      <Footer />
    </>
  )
}
