import { Figure } from '@kvitt/office/parts/figure.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import type { ReactNode } from 'react'
import { t } from '../text.ts'
import { comparedText, currenciesOwed, wasText } from './compared.ts'
import type { Dashboard } from './dashboard-calls.ts'
import css from './dashboard-page.module.css'

/** The figures that count, in one line, each with what it was in the days before. */
export function KeyFigures({ data }: { data: Dashboard }) {
  const { stages, before, disputed, planned, openDisputes } = data
  return (
    <dl className={css.strip}>
      <Received data={data} />
      <Owed data={data} />
      <Key name={t('dashboard.sent')} note={comparedText(stages.sent, before.stages.sent, data)}>
        {formatCount(stages.sent)}
      </Key>
      <Key
        name={t('dashboard.disputed')}
        note={
          <>
            {wasText(formatCount(before.disputed), data)}
            <br />
            {t('dashboard.open_disputes', { n: formatCount(openDisputes) })}
          </>
        }
      >
        {formatCount(disputed)}
      </Key>
      <Key name={t('dashboard.planned')} note={wasText(formatCount(before.planned), data)}>
        {formatCount(planned)}
      </Key>
    </dl>
  )
}

function Key({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note && <dd className={css.note}>{note}</dd>}
    </div>
  )
}

/** What came in, in each currency in which something came now or before. */
function Received({ data }: { data: Dashboard }) {
  const { received, before } = data
  const currencies = [...new Set([...received, ...before.received].map(({ currency }) => currency))]
  const of = (rows: Dashboard['received'], currency: string): number =>
    minorOf(rows.find((one) => one.currency === currency)?.amount ?? 0)
  if (currencies.length === 0)
    return (
      <Key name={t('dashboard.received')} note={comparedText(0, 0, data)}>
        –
      </Key>
    )
  return (
    <div>
      <dt>{t('dashboard.received')}</dt>
      {currencies.flatMap((currency) => {
        const now = of(received, currency)
        return [
          <dd key={currency}>
            <Figure minor={now} currency={currency} />
          </dd>,
          <dd key={`${currency} before`} className={css.note}>
            {comparedText(now, of(before.received, currency), data)}
          </dd>,
        ]
      })}
    </div>
  )
}

/** What debtors owe now on invoices and claims, whatever the period is. */
function Owed({ data }: { data: Dashboard }) {
  const { ageing, openClaims } = data
  const countOf = (rows: readonly { count: number }[]): number =>
    rows.reduce((all, { count }) => all + count, 0)
  const currencies = currenciesOwed(data)
  const note = t('dashboard.owed_note', {
    n: countOf(ageing),
    claims: countOf(openClaims),
    late: formatCount(countOf(ageing.filter(({ bucket }) => bucket !== 'NOT_DUE'))),
  })
  return (
    <Key name={t('dashboard.open_balance')} note={note}>
      {currencies.length === 0
        ? '–'
        : currencies.map((currency) => (
            <span key={currency} className={css.amount}>
              <Figure
                minor={[...ageing, ...openClaims].reduce(
                  (all, one) => all + (one.currency === currency ? minorOf(one.balance) : 0),
                  0,
                )}
                currency={currency}
              />
            </span>
          ))}
    </Key>
  )
}
