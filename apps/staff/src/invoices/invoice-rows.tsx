import { decimalText } from '@kvitt/office/money-text.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { listOfficeInvoiceRows } from '@kvitt/domain/invoices/office-invoice-detail.contract.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { t } from '../text.ts'
import css from './invoice-rows.module.css'

type Row = AnswerOf<typeof listOfficeInvoiceRows>[number]

/** "2 × 1,25, VAT 25 %": what is known of it. */
function howText({ quantity, unitPrice, vatPercent, vatReason }: Row): string {
  // "1" by itself says nothing.
  const isOne = unitPrice === null && quantity === '1'
  const count = isOne ? [] : [quantity, unitPrice].filter((one) => one !== null).map(decimalText)
  const vat = vatPercent === null ? '' : t('draft.tax', { percent: decimalText(vatPercent) })
  return [count.join(' × '), vat, vatReason].filter(Boolean).join(', ')
}

/** What was bought, row by row, as the document has it. */
export function InvoiceRows({ rows, currency }: { rows: readonly Row[]; currency: string }) {
  if (rows.length === 0) return <p className={css.how}>{t('story.no_rows')}</p>
  return (
    <ul className={css.rows}>
      {rows.map((row) => (
        <li key={row.line} className={css.row}>
          <span className={css.what}>
            {row.description}
            <span className={css.how}>{howText(row)}</span>
          </span>
          <Figure minor={minorOf(row.amount)} currency={currency} />
        </li>
      ))}
    </ul>
  )
}
