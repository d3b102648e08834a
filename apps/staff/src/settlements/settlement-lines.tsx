import { Chip } from '@kvitt/office/parts/chip.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { t } from '../text.ts'
import type { Settlement } from './settlement-calls.ts'
import css from './settlement-page.module.css'
import { effectOf } from './settlement-sums.ts'

type Line = Settlement['lines'][number]

/** All that a settlement was counted from. */
export function SettlementLines({ lines }: { lines: readonly Line[] }) {
  return (
    <section className={css.part}>
      <h2>{t('settlement.lines')}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keys */}
      <div className={css.scroll} tabIndex={0} role="group" aria-label={t('settlement.lines')}>
        <table className={css.lines} aria-label={t('settlement.lines')}>
          <thead>
            <tr>
              <th scope="col">{t('settlement.part')}</th>
              <th scope="col">{t('settlement.day')}</th>
              <th scope="col">{t('settlement.subject')}</th>
              <th scope="col">{t('act.amount')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, at) => (
              <LineRow key={`${at} ${line.kind}`} line={line} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function LineRow({ line }: { line: Line }) {
  const { kind, date, subject, currency, isLate } = line
  return (
    <tr>
      <th scope="row">{t(`settlement.line.${kind}`)}</th>
      <td>
        {formatDay(date, 'short')} {isLate && <Chip tone="outline">{t('settlement.late')}</Chip>}
      </td>
      <td>{subject ? <Subject subject={subject} /> : '–'}</td>
      <td>
        <Figure minor={effectOf(line)} currency={currency} />
      </td>
    </tr>
  )
}

function Subject({ subject: { type, id, number } }: { subject: NonNullable<Line['subject']> }) {
  const isInvoice = type === 'invoices'
  return (
    <a href={hashOf({ view: isInvoice ? 'invoices' : 'claims', id })}>
      {t(isInvoice ? 'dispute.of_invoice' : 'dispute.of_claim', { number })}
    </a>
  )
}
