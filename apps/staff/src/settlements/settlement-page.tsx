import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { ExportMenu } from '@kvitt/office/list/export-menu.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../shell/facts.tsx'
import { Hero } from '../shell/hero.tsx'
import { isAdmin } from '../shell/portal.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { fetchSettlement, settlementQuery, type Settlement } from './settlement-calls.ts'
import { SettlementChip } from './settlement-chip.tsx'
import { SettlementLines } from './settlement-lines.tsx'
import { SettlementPayout } from './settlement-payout.tsx'
import css from './settlement-page.module.css'
import { carriedOf, partsOf } from './settlement-sums.ts'
import { VatInvoice } from './vat-invoice.tsx'

const FILES = ['pdf', 'csv', 'xlsx', 'sie'] as const

/** One settlement: what is paid out, how it comes to that, and each line of it. */
export default function SettlementPage({ id }: { id: string }) {
  const found = useQuery(settlementQuery(id))
  const settlement = found.data
  const title = settlement
    ? t('settlement.of_number', { number: settlement.number })
    : t('settlement.settlement')
  usePageName(title)
  useKeys({ Escape: () => goTo(hashOf({ view: 'settlements' })) })
  const crumb = { href: hashOf({ view: 'settlements' }), text: t('view.settlements') }
  if (!settlement) {
    return (
      <>
        <Bar title={title} crumb={crumb} />
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting />
        )}
      </>
    )
  }
  return (
    <>
      <Bar
        title={title}
        crumb={crumb}
        chip={<SettlementChip status={settlement.status} />}
        actions={
          settlement.status !== 'COUNTING' && (
            <ExportMenu fetchList={fetchSettlement(id)} name={title} formats={FILES} />
          )
        }
      />
      {settlement.status === 'COUNTING' ? (
        <section className={css.part}>
          <PeriodFacts settlement={settlement} />
          <p className={css.sentence}>{t('settlement.counting')}</p>
        </section>
      ) : (
        <Counted settlement={settlement} />
      )}
    </>
  )
}

function Counted({ settlement }: { settlement: Settlement }) {
  const { paidOut, currency, status, lines } = settlement
  return (
    <>
      <Hero
        label={payoutText(settlement)}
        minor={minorOf(paidOut)}
        currency={currency}
        note={status === 'CARRIED' && carriedText(settlement)}
      >
        <PeriodFacts settlement={settlement} />
      </Hero>
      {isAdmin && status !== 'CARRIED' && <SettlementPayout settlement={settlement} />}
      <Sums settlement={settlement} />
      <VatInvoice settlement={settlement} />
      {lines.length > 0 && <SettlementLines lines={lines} />}
    </>
  )
}

/** The money has left, or has still to. */
const payoutText = ({ status }: Settlement): string =>
  t(status === 'PAID' || status === 'CARRIED' ? 'settlement.paid_out' : 'settlement.to_pay_out')

/** Why nothing was paid out, and where the money went. */
function carriedText({ lines, currency }: Settlement): string {
  const { why, minor } = carriedOf(lines)
  return t(`settlement.carried.${why}`, { amount: formatMoney(Math.abs(minor), currency, currentLanguage()) })
}

function PeriodFacts({ settlement: { period, countedAt, creditor } }: { settlement: Settlement }) {
  return (
    <Facts
      rows={[
        { id: 'creditor', name: t('column.creditor'), value: isAdmin ? creditor.name : null },
        {
          id: 'period',
          name: t('settlement.period'),
          value: `${formatDay(period.from)} – ${formatDay(period.to)}`,
        },
        {
          id: 'counted',
          name: t('settlement.counted'),
          value: countedAt && formatDay(countedAt.slice(0, 10)),
        },
      ]}
    />
  )
}

/** From what was collected down to what is paid out. */
function Sums({ settlement }: { settlement: Settlement }) {
  const { currency, paidOut } = settlement
  return (
    <section className={css.part}>
      <h2 id="settlement-sums">{t('settlement.sums')}</h2>
      <table className={css.sums} aria-labelledby="settlement-sums">
        <thead>
          <tr>
            <th scope="col">{t('settlement.part')}</th>
            <th scope="col">{t('figures.amount', { currency })}</th>
          </tr>
        </thead>
        <tbody>
          {partsOf(settlement).map(({ part, minor }) => (
            <tr key={part}>
              <th scope="row">{t(`settlement.${part}`)}</th>
              <td>
                <Figure minor={minor} currency={currency} isBare />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{payoutText(settlement)}</th>
            <td>
              <span className={css.total}>
                <Figure minor={minorOf(paidOut)} currency={currency} isBare />
              </span>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
