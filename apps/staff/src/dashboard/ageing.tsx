import { AGE_BUCKETS } from '@kvitt/domain/receivables/ageing.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { Switched } from '../shell/switched.tsx'
import { t } from '../text.ts'
import { Bars } from './bars.tsx'
import { shareText } from './compared.ts'
import type { Dashboard } from './dashboard-calls.ts'
import css from './dashboard-page.module.css'

/** What is owed now: on invoices by how late they are, and on claims. */
export function Ageing({ data: { ageing, openClaims }, currency }: { data: Dashboard; currency: string }) {
  const inClaims = openClaims.find((one) => one.currency === currency)
  const found = [
    ...AGE_BUCKETS.map((bucket) => ({
      name: t(`dashboard.${bucket}`),
      of: ageing.find((one) => one.currency === currency && one.bucket === bucket),
    })),
    { name: t('dashboard.claimed'), of: inClaims },
  ]
  const rows = found.map(({ name, of }) => ({
    name,
    count: of?.count ?? 0,
    minor: minorOf(of?.balance ?? 0),
  }))
  const sum = rows.reduce((all, { minor }) => all + minor, 0)
  return (
    <Switched
      name="ageing"
      title={t('dashboard.ageing', { currency })}
      note={t('dashboard.ageing_note')}
      chart={
        <Bars
          rows={rows.map(({ name, minor }) => ({
            name,
            value: minor,
            text: <Figure minor={minor} currency={currency} isBare />,
          }))}
        />
      }
      table={
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('invoice.due')}</th>
              <th scope="col">{t('figures.count')}</th>
              <th scope="col">{t('dashboard.share')}</th>
              <th scope="col">{t('figures.amount', { currency })}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, count, minor }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{formatCount(count)}</td>
                <td>{shareText(minor, sum)}</td>
                <td>
                  <Figure minor={minor} currency={currency} isBare />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('figures.sum')}</th>
              <td>{formatCount(rows.reduce((all, { count }) => all + count, 0))}</td>
              <td />
              <td>
                <Figure minor={sum} currency={currency} isBare />
              </td>
            </tr>
          </tfoot>
        </table>
      }
    />
  )
}
