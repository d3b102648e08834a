import { Skeleton } from '@kvitt/ui/components/skeleton.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  CLOSED_STATUSES,
  HELD_STATUSES,
  invoiceListQuery,
  OPEN_STATUSES,
  personQuery,
  statsQuery,
} from '../calls.ts'
import { useInstance } from '../instance.ts'
import { rememberOwn } from '../session.ts'
import { Bar } from '../shell/bar.tsx'
import { Footer } from '../shell/footer.tsx'
import { t } from '../text.ts'
import { dashboardHash } from '../views.ts'
import css from './dashboard-page.module.css'
import { InvoiceSection, PaidSection } from './dashboard-sections.tsx'
import { keyOf } from './open-invoice.ts'
import { ToPay } from './to-pay.tsx'

/** Asked for in one call; whoever has more paused invoices than this is told no sum of them. */
const MOST_HELD = 100

/** Everything that the debtor owes and has paid (specification section 2). */
export default function DashboardPage({ page, limit }: { page: number; limit: number }) {
  const instance = useInstance()
  const stats = useQuery(statsQuery())
  const open = useQuery(invoiceListQuery({ statuses: OPEN_STATUSES, page, limit }))
  const held = useQuery(invoiceListQuery({ statuses: HELD_STATUSES, page: 1, limit: MOST_HELD }))
  // The first page of what is paid waits until what is owed stands on the screen.
  const paid = useQuery({
    ...invoiceListQuery({ statuses: CLOSED_STATUSES, page: 1, limit: 10 }),
    enabled: open.isSuccess,
  })
  const person = useQuery(personQuery())
  const shown = [...(open.data?.items ?? []), ...(paid.data?.items ?? [])]
  useEffect(() => rememberOwn(shown.map(keyOf)))
  usePageTitle(t('nav.my_invoices'), instance?.name)

  const total = open.data?.total
  useEffect(() => {
    // Invoices may have been paid since this address was made.
    if (total !== undefined && page > 1 && (page - 1) * limit >= total) {
      goTo(dashboardHash({ limit }), { replace: true })
    }
  }, [total, page, limit])

  return (
    <>
      <Bar signedIn place="dashboard" />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <div className={css.top}>
          <Greeting
            name={person.data?.debtor.name ?? shown[0]?.debtor.name}
            isWaiting={open.isPending || (paid.isPending && total === 0)}
          />
          <ToPay stats={stats} openCount={total} held={held.data} />
        </div>
        <InvoiceSection
          open={open}
          hasPaid={(paid.data?.total ?? 0) > 0}
          page={page}
          limit={limit}
          onPage={(next) => goTo(dashboardHash(next), { replace: true })}
        />
        <PaidSection first={paid} />
      </main>
      <Footer />
    </>
  )
}

/** By name as soon as an invoice has told it; whoever came with a reference is greeted by first name. */
function Greeting({ name, isWaiting }: { name: string | undefined; isWaiting: boolean }) {
  const provider = useInstance()?.name
  return (
    <div className={css.greeting}>
      <h1 tabIndex={-1}>
        {isWaiting ? (
          <>
            <span className="spoken">{t('nav.my_invoices')}</span>
            <Skeleton width={12} height={2.125} />
          </>
        ) : name ? (
          t('dashboard.greeting', { name })
        ) : (
          t('nav.my_invoices')
        )}
      </h1>
      {provider && <p className={css.lead}>{t('dashboard.lead', { provider })}</p>}
    </div>
  )
}
