import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { ListAnswer } from '@kvitt/ui/api.ts'
import { Pager } from '@kvitt/ui/components/pager.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CLOSED_CLAIM_STATUSES, claimListQuery, OPEN_CLAIM_STATUSES } from '../debts/list-calls.ts'
import { ClaimList, claimKeyOf } from '../claims/claim-list.tsx'
import { ListDownloads } from '../documents/list-downloads.tsx'
import { useInstance } from '../instance.ts'
import { rememberOwn } from '../session.ts'
import { Bar } from '../shell/bar.tsx'
import { Footer } from '../shell/footer.tsx'
import { t, type MessageId } from '../text.ts'
import { dashboardHash, PAGE_SIZES } from '../views.ts'
import css from './dashboard-page.module.css'
import { FIRST, InvoiceSection, ListFailed, PaidSection } from './dashboard-sections.tsx'
import { keyOf } from './open-invoice.ts'
import { ToPay } from './to-pay.tsx'
import { useDashboard } from './use-dashboard.ts'

/** Shows another part of the list; the address names what is not as at first. */
function goToPart({ page = FIRST.page, limit }: { page?: number; limit: number }): void {
  const hash = dashboardHash({
    page: page === FIRST.page ? '' : String(page),
    limit: limit === FIRST.limit ? '' : String(limit),
  })
  goTo(hash, { replace: true })
}

/** Everything that the debtor owes and has paid (specification section 2). */
export default function DashboardPage({ page, limit }: { page: number; limit: number }) {
  const instance = useInstance()
  const { open, paid, claims, closedClaims, person, sums } = useDashboard(page, limit)
  const shown = [...(open.data?.items ?? []), ...(paid.data?.items ?? [])]
  const shownClaims = [...(claims.data?.items ?? []), ...(closedClaims.data?.items ?? [])]
  useEffect(() => rememberOwn([...shown.map(keyOf), ...shownClaims.map(claimKeyOf)]))
  usePageTitle(t('nav.my_invoices'), instance?.name)

  const total = open.data?.total
  useEffect(() => {
    // Invoices may have been paid since this address was made.
    if (total !== undefined && page > 1 && (page - 1) * limit >= total) {
      goToPart({ limit })
    }
  }, [total, page, limit])

  return (
    <>
      <Bar signedIn place="dashboard" />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <div className={css.top}>
          <Greeting
            name={person.data?.debtor.name ?? shown[0]?.debtor.name ?? shownClaims[0]?.debtor.name}
            guardian={person.data?.guardian?.name}
            isWaiting={open.isPending || (paid.isPending && total === 0)}
          />
          <ToPay {...sums} openCount={total} claimCount={claims.data?.total} />
        </div>
        {claims.data && claims.data.items.length > 0 && (
          <section className={css.section} aria-labelledby="open-claims">
            <h2 id="open-claims" className={css.heading}>
              {t('dashboard.open_claims')}
            </h2>
            <PagedClaims
              first={claims}
              statuses={OPEN_CLAIM_STATUSES}
              labelledBy="open-claims"
              name="dashboard.open_claims"
            />
          </section>
        )}
        {claims.error && !claims.data && <ListFailed onRetry={() => void claims.refetch()} />}
        <InvoiceSection open={open} page={page} limit={limit} onPage={goToPart} />
        <PaidSection first={paid} />
        <ClosedClaims first={closedClaims} />
        <ListDownloads hasInvoices={shown.length > 0} hasClaims={shownClaims.length > 0} />
      </main>
      <Footer />
    </>
  )
}

type GreetingProps = {
  name: string | undefined
  /** Who acts for the debtor and gets their letters. */
  guardian: string | undefined
  isWaiting: boolean
}

/** By name as soon as an invoice has told it; whoever came with a reference is greeted by first name. */
function Greeting({ name, guardian, isWaiting }: GreetingProps) {
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
      {guardian && <p className={css.lead}>{t('dashboard.guardian', { name: guardian })}</p>}
    </div>
  )
}

type Claims = UseQueryResult<ListAnswer<ClaimAnswer>>

/** Claims page by page; hardly anybody has more than fit on the first. */
function PagedClaims(props: { first: Claims; statuses: string; labelledBy: string; name: MessageId }) {
  const { first, statuses, labelledBy, name } = props
  const [part, setPart] = useState(FIRST)
  const turned = useQuery({ ...claimListQuery({ statuses, ...part }), enabled: part !== FIRST })
  const { data } = part === FIRST ? first : turned
  if (!data) return turned.error ? <ListFailed onRetry={() => void turned.refetch()} /> : null
  return (
    <>
      <ClaimList claims={data.items} labelledBy={labelledBy} />
      {data.total > FIRST.limit && (
        <div className={css.pager}>
          <Pager {...part} total={data.total} sizes={PAGE_SIZES} label={t(name)} onChange={setPart} />
        </div>
      )}
    </>
  )
}

/** Claims that are over, collapsed like the paid invoices. */
function ClosedClaims({ first }: { first: Claims }) {
  if (!first.data || first.data.total === 0) return null
  return (
    <section className={css.paid} aria-labelledby="closed-claims">
      <Disclosure
        title={
          <span className={css.paidTitle}>
            <h2 id="closed-claims">{t('dashboard.closed_claims')}</h2>
            <span className={css.count}>{formatCount(first.data.total)}</span>
          </span>
        }
      >
        <div className={css.paidList}>
          <PagedClaims
            first={first}
            statuses={CLOSED_CLAIM_STATUSES}
            labelledBy="closed-claims"
            name="dashboard.closed_claims"
          />
        </div>
      </Disclosure>
    </section>
  )
}
