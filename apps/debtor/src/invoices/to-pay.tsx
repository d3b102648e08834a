import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { StatsAnswer } from '@kvitt/domain/invoices/invoice-list.contract.ts'
import type { ListAnswer } from '@kvitt/ui/api.ts'
import { Amount } from '@kvitt/ui/values/amount.tsx'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { t } from '../text.ts'
import css from './to-pay.module.css'

type Sum = { readonly currency: string; readonly minor: number }

/** Sums by currency, in the order in which the currencies come. */
function addUp(parts: readonly Sum[]): readonly Sum[] {
  const sums = new Map<string, number>()
  for (const { currency, minor } of parts) sums.set(currency, (sums.get(currency) ?? 0) + minor)
  return [...sums].map(([currency, minor]) => ({ currency, minor }))
}

type ToPayProps = {
  /** Of invoices and of claims: none is counted in both. */
  stats: readonly UseQueryResult<StatsAnswer>[]
  openCount: number | undefined
  claimCount: number | undefined
  held: ListAnswer<InvoiceAnswer> | undefined
  heldClaims: readonly ClaimAnswer[]
  /** All that is open, where it is not too much to be asked for at once. */
  open: ListAnswer<InvoiceAnswer> | undefined
  openClaims: ListAnswer<ClaimAnswer> | undefined
}

/** What is owed, once for each currency, and how much of it waits or is paid in parts. */
export function ToPay({ stats, openCount, claimCount, ...listed }: ToPayProps) {
  const isHere = stats.every(({ data }) => data)
  const failed = stats.filter(({ data, error }) => error && !data)
  const sums = addUp(
    stats.flatMap(({ data = [] }) => data.map((s) => ({ currency: s.currency, minor: minorOf(s.balance) }))),
  )
  return (
    <section className={css.hero} aria-labelledby="to-pay-heading">
      <div className={css.owed}>
        <h2 id="to-pay-heading" className={css.label}>
          {t('invoice.to_pay')}
        </h2>
        {isHere ? (
          <p className={css.figures} data-many={sums.length > 1 || undefined}>
            {(sums.length > 0 ? sums : [{ currency: 'SEK', minor: 0 }]).map(({ currency, minor }) => (
              <Amount key={currency} minor={minor} currency={currency} rule={minor === 0 ? 'ok' : 'brand'} />
            ))}
          </p>
        ) : failed.length > 0 ? (
          <p className={css.failed} role="alert">
            {t('dashboard.sum_failed')}{' '}
            <Button look="text" onClick={() => failed.forEach((query) => void query.refetch())}>
              {t('login.retry')}
            </Button>
          </p>
        ) : (
          <Skeleton width={16} height={4.125} />
        )}
        <Held held={listed.held} claims={listed.heldClaims} />
        <Planned open={listed.open} claims={listed.openClaims} />
      </div>
      <dl className={css.counters}>
        {openCount !== undefined && <Counter name={t('dashboard.open_invoices')} count={openCount} />}
        {claimCount !== undefined && <Counter name={t('dashboard.open_claims')} count={claimCount} />}
      </dl>
    </section>
  )
}

function Counter({ name, count }: { name: string; count: number }) {
  return (
    <div className={css.counter}>
      <dt>{name}</dt>
      <dd>{formatCount(count)}</dd>
    </div>
  )
}

type HeldProps = { held: ListAnswer<InvoiceAnswer> | undefined; claims: readonly ClaimAnswer[] }

/** How much of the sum is paused or disputed. Nothing when there is more of it than was asked for. */
function Held({ held, claims }: HeldProps) {
  if (held && held.total > held.items.length) return null
  return <Share id="dashboard.held" invoices={held?.items ?? []} claims={claims} />
}

type PlannedProps = {
  open: ListAnswer<InvoiceAnswer> | undefined
  claims: ListAnswer<ClaimAnswer> | undefined
}

/** How much of it no bill has asked for yet, being paid in parts: the rows' "To pay" leaves it out. */
function Planned({ open, claims }: PlannedProps) {
  if (!open || !claims || open.total > open.items.length || claims.total > claims.items.length) return null
  const isPlanned = (status: string, isPartPayment: boolean) =>
    isPartPayment && status !== 'PAUSED' && status !== 'DISPUTED'
  return (
    <Share
      id="dashboard.in_parts"
      invoices={open.items.filter((i) => isPlanned(i.statuses.main, i.isPartPayment))}
      claims={claims.items.filter((c) => isPlanned(c.status, c.isPartPayment))}
    />
  )
}

type ShareProps = {
  id: 'dashboard.held' | 'dashboard.in_parts'
  invoices: readonly InvoiceAnswer[]
  claims: readonly ClaimAnswer[]
}

/** A sentence about what these owe together, once for each currency; nothing when they owe nothing. */
function Share({ id, invoices, claims }: ShareProps) {
  const sums = addUp([
    ...invoices.map(({ currency, balances }) => ({
      currency: currency.invoiceCurrency,
      minor: minorOf(balances.total),
    })),
    ...claims.map(({ currency, balanceTotal }) => ({ currency, minor: minorOf(balanceTotal) })),
  ]).filter(({ minor }) => minor > 0)
  if (sums.length === 0) return null
  const amounts = sums.map(({ currency, minor }) => formatMoney(minor, currency, currentLanguage()))
  return (
    <p className={css.held}>{t(id, { amount: new Intl.ListFormat(currentLanguage()).format(amounts) })}</p>
  )
}
