import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { StatsAnswer } from '@kvitt/domain/invoices/invoice-list.contract.ts'
import type { ListAnswer } from '@kvitt/ui/api.ts'
import { Amount } from '@kvitt/ui/components/amount.tsx'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Skeleton } from '@kvitt/ui/components/skeleton.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney, minorOf } from '@kvitt/ui/money-text.ts'
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
  stats: UseQueryResult<StatsAnswer>
  openCount: number | undefined
  held: ListAnswer<InvoiceAnswer> | undefined
}

/** What is owed, once for each currency, and how much of it waits. */
export function ToPay({ stats, openCount, held }: ToPayProps) {
  const sums = addUp(stats.data?.map((s) => ({ currency: s.currency, minor: minorOf(s.balance) })) ?? [])
  const count = openCount ?? stats.data?.reduce((sum, s) => sum + s.count, 0)
  return (
    <section className={css.hero} aria-labelledby="to-pay-heading">
      <div className={css.owed}>
        <h2 id="to-pay-heading" className={css.label}>
          {t('invoice.to_pay')}
        </h2>
        {stats.data ? (
          <p className={css.figures} data-many={sums.length > 1 || undefined}>
            {(sums.length > 0 ? sums : [{ currency: 'SEK', minor: 0 }]).map(({ currency, minor }) => (
              <Amount key={currency} minor={minor} currency={currency} rule={minor === 0 ? 'ok' : 'brand'} />
            ))}
          </p>
        ) : stats.error ? (
          <p className={css.failed} role="alert">
            {t('dashboard.sum_failed')}{' '}
            <Button look="text" onClick={() => void stats.refetch()}>
              {t('login.retry')}
            </Button>
          </p>
        ) : (
          <Skeleton width={16} height={4.125} />
        )}
        {held && <Held held={held} />}
      </div>
      <dl className={css.counters}>
        <div className={css.counter}>
          <dt>{t('dashboard.open_invoices')}</dt>
          <dd>{count ?? <Skeleton width={1.5} height={1.75} />}</dd>
        </div>
      </dl>
    </section>
  )
}

/** How much of the sum is paused or disputed. Nothing when there is more of it than was asked for. */
function Held({ held }: { held: ListAnswer<InvoiceAnswer> }) {
  if (held.items.length === 0 || held.total > held.items.length) return null
  const sums = addUp(
    held.items.map((invoice) => ({
      currency: invoice.currency.invoiceCurrency,
      minor: minorOf(invoice.balances.total),
    })),
  ).filter(({ minor }) => minor > 0)
  if (sums.length === 0) return null
  const amounts = sums.map(({ currency, minor }) => formatMoney(minor, currency, currentLanguage()))
  return (
    <p className={css.held}>
      {t('dashboard.held', { amount: new Intl.ListFormat(currentLanguage()).format(amounts) })}
    </p>
  )
}
