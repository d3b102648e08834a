/** The figures of a creditor's books. */
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import type { ReactNode } from 'react'
import { t, type MessageId } from '../text.ts'
import type { Figures } from './figure-calls.ts'
import css from './figures-page.module.css'
import { currenciesOf, monthsOf } from './months.ts'
import { Received } from './received.tsx'

const PERCENT = 100

export function Shown({ figures }: { figures: Figures }) {
  const { received, today, invoices, claims } = figures
  return (
    <>
      <Strip figures={figures} />
      {currenciesOf(received).map((currency) => (
        <Received key={currency} months={monthsOf(received, currency, today)} currency={currency} />
      ))}
      <Sums title={t('view.invoices')} sums={invoices} nameOf={invoiceStatus} />
      {claims.length > 0 && (
        <Sums
          title={t('view.claims')}
          sums={claims}
          nameOf={(status) => t(`claim.status.${status}` as MessageId)}
        />
      )}
    </>
  )
}

/** The figures that count, in one line. */
function Strip({ figures: { overdue, paid, disputes } }: { figures: Figures }) {
  const open = disputes.find(({ status }) => status === 'OPEN')?.count ?? 0
  const share = paid.count === 0 ? '–' : `${Math.round((paid.beforeDue / paid.count) * PERCENT)} %`
  return (
    <dl className={css.strip}>
      <Key name={t('figures.overdue')} note={count(overdue.reduce((all, one) => all + one.count, 0))}>
        {overdue.length === 0
          ? '–'
          : overdue.map(({ currency, balance }) => (
              <span key={currency} className={css.amount}>
                <Figure minor={minorOf(balance)} currency={currency} />
              </span>
            ))}
      </Key>
      <Key name={t('figures.days_to_pay')} note={t('figures.median')}>
        {paid.medianDays === null ? '–' : formatCount(Math.round(paid.medianDays))}
      </Key>
      <Key name={t('figures.before_due')} note={t('figures.of_paid', { n: paid.count })}>
        {share}
      </Key>
      <Key name={t('figures.open_disputes')}>{formatCount(open)}</Key>
    </dl>
  )
}

const count = (n: number): string => t('invoices.found', { n: formatCount(n) })

function Key({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note && <dd className={css.note}>{note}</dd>}
    </div>
  )
}

const INVOICE_STATUS: Readonly<Record<string, MessageId>> = {
  CREATED: 'invoice.status.draft',
  PENDING: 'invoice.status.pending',
  ACTIVATED: 'invoice.status.open',
  PAUSED: 'invoice.status.paused',
  DISPUTED: 'invoice.status.disputed',
  PENDING_AUTHORIZATION: 'invoice.status.signed',
  CLOSED: 'invoice.status.closed',
  STOPPED: 'invoice.status.stopped',
  ARCHIVED: 'invoice.status.removed',
}
const invoiceStatus = (status: string): string => t(INVOICE_STATUS[status] ?? 'invoice.status')

type SumsProps = {
  title: string
  sums: readonly (Figures['invoices'] | Figures['claims'])[number][]
  nameOf: (status: string) => string
}

/** How many there are in each status, what they asked for, and what is open. */
function Sums({ title, sums, nameOf }: SumsProps) {
  return (
    <section className={css.part}>
      <h2>{title}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keys */}
      <div className={css.scroll} tabIndex={0} role="group" aria-label={title}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('invoice.status')}</th>
              <th scope="col">{t('figures.count')}</th>
              <th scope="col">{t('invoice.asked')}</th>
              <th scope="col">{t('invoice.balance')}</th>
            </tr>
          </thead>
          <tbody>
            {sums.map((sum) => (
              <tr key={`${sum.status} ${sum.currency}`}>
                <th scope="row">{nameOf(sum.status)}</th>
                <td>{formatCount(sum.count)}</td>
                <td>
                  <Figure minor={minorOf(sum.total)} currency={sum.currency} />
                </td>
                <td>
                  <Figure minor={minorOf(sum.balance)} currency={sum.currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
