import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { Skeleton } from '@kvitt/ui/components/skeleton.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  CLOSED_CLAIM_STATUSES,
  CLOSED_STATUSES,
  claimListQuery,
  claimStatsQuery,
  HELD_STATUSES,
  invoiceListQuery,
  OPEN_CLAIM_STATUSES,
  OPEN_STATUSES,
  personQuery,
  seesInvoices,
  statsQuery,
} from '../shell/debt-calls.ts'
import { ClaimList, claimKeyOf } from '../claims/claim-list.tsx'
import { useInstance } from '../instance.ts'
import { rememberOwn } from '../session.ts'
import { Bar } from '../shell/bar.tsx'
import { Footer } from '../shell/footer.tsx'
import { t } from '../text.ts'
import { dashboardHash } from '../views.ts'
import css from './dashboard-page.module.css'
import { InvoiceSection, ListFailed, PaidSection } from './dashboard-sections.tsx'
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
  const claims = useQuery(claimListQuery(OPEN_CLAIM_STATUSES))
  const closedClaims = useQuery({ ...claimListQuery(CLOSED_CLAIM_STATUSES), enabled: claims.isSuccess })
  const claimStats = useQuery(claimStatsQuery())
  const person = useQuery(personQuery())
  const shown = [...(open.data?.items ?? []), ...(paid.data?.items ?? [])]
  const shownClaims = [...(claims.data?.items ?? []), ...(closedClaims.data?.items ?? [])]
  useEffect(() => rememberOwn([...shown.map(keyOf), ...shownClaims.map(claimKeyOf)]))
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
            name={person.data?.debtor.name ?? shown[0]?.debtor.name ?? shownClaims[0]?.debtor.name}
            isWaiting={seesInvoices() ? open.isPending || (paid.isPending && total === 0) : claims.isPending}
          />
          <ToPay
            stats={seesInvoices() ? [stats, claimStats] : [claimStats]}
            openCount={seesInvoices() ? total : undefined}
            claimCount={claims.data?.total}
            held={held.data}
            heldClaims={claims.data?.items ?? []}
          />
        </div>
        {claims.data && claims.data.items.length > 0 && (
          <section className={css.section} aria-labelledby="open-claims">
            <h2 id="open-claims" className={css.heading}>
              {t('dashboard.open_claims')}
            </h2>
            <ClaimList claims={claims.data.items} labelledBy="open-claims" />
          </section>
        )}
        {claims.error && !claims.data && <ListFailed onRetry={() => void claims.refetch()} />}
        {seesInvoices() && (
          <InvoiceSection
            open={open}
            page={page}
            limit={limit}
            onPage={(next) => goTo(dashboardHash(next), { replace: true })}
          />
        )}
        {seesInvoices() && <PaidSection first={paid} />}
        <ClosedClaims claims={closedClaims.data?.items ?? []} />
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

/** Claims that are over, collapsed like the paid invoices. */
function ClosedClaims({ claims }: { claims: readonly ClaimAnswer[] }) {
  if (claims.length === 0) return null
  return (
    <section className={css.paid} aria-labelledby="closed-claims">
      <Disclosure
        title={
          <span className={css.paidTitle}>
            <h2 id="closed-claims">{t('dashboard.closed_claims')}</h2>
            <span className={css.count}>{claims.length}</span>
          </span>
        }
      >
        <div className={css.paidList}>
          <ClaimList claims={claims} labelledBy="closed-claims" />
        </div>
      </Disclosure>
    </section>
  )
}
