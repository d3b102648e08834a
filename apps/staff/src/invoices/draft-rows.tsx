import { decimalText } from '@kvitt/office/money-text.ts'
import { vatRatesOf } from '@kvitt/domain/invoices/vat-rates.ts'
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { t } from '../text.ts'
import { countryOf, emptyRow, netOf, priceRows, type TypedRow } from './draft-form.ts'
import css from './draft-rows.module.css'

type RowsProps = {
  rows: readonly TypedRow[]
  currency: Currency
  day: string
  /** The field that is wrong, such as `rows.0.quantity`. */
  wrong: string | undefined
  onRows: (rows: readonly TypedRow[]) => void
}

/** The rows of a new invoice, each with what it comes to, and below them tax and total. */
export function DraftRows({ rows, currency, day, wrong, onRows }: RowsProps) {
  const rates = vatRatesOf(countryOf(currency), day as CalendarDate)
  const change = (key: number, part: Partial<TypedRow>) =>
    onRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  return (
    <div className={css.rows}>
      {rows.map((row, index) => (
        <DraftRow
          key={row.key}
          row={row}
          at={{ index, isOnly: rows.length === 1 }}
          currency={currency}
          rates={rates}
          wrong={wrong}
          onChange={(part) => change(row.key, part)}
          onRemove={() => onRows(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      <div>
        <OfficeButton
          icon="plus"
          onClick={() =>
            onRows([...rows, emptyRow(Math.max(...rows.map(({ key }) => key)) + 1, rates[0] ?? '25')])
          }
        >
          {t('draft.add_row')}
        </OfficeButton>
      </div>
      <Totals rows={rows} currency={currency} />
    </div>
  )
}

type RowProps = {
  row: TypedRow
  at: { readonly index: number; readonly isOnly: boolean }
  currency: Currency
  rates: readonly string[]
  wrong: string | undefined
  onChange: (part: Partial<TypedRow>) => void
  onRemove: () => void
}

function DraftRow({ row, at: { index, isOnly }, currency, rates, wrong, onChange, onRemove }: RowProps) {
  return (
    <fieldset className={css.row}>
      <legend className="spoken">{t('draft.row', { n: index + 1 })}</legend>
      <Cell
        name={`rows.${index}.description`}
        label={t('draft.description')}
        value={row.description}
        wrong={wrong}
        onValue={(description) => onChange({ description })}
      />
      <Cell
        name={`rows.${index}.quantity`}
        label={t('draft.quantity')}
        value={row.quantity}
        wrong={wrong}
        isNumber
        onValue={(quantity) => onChange({ quantity })}
      />
      <Cell
        name={`rows.${index}.unitPrice`}
        label={t('draft.unit_price')}
        value={row.unitPrice}
        wrong={wrong}
        isNumber
        onValue={(unitPrice) => onChange({ unitPrice })}
      />
      <label className={css.cell}>
        <span>{t('draft.vat')}</span>
        <select
          name={`rows.${index}.vatPercent`}
          value={row.vatPercent}
          onChange={({ currentTarget }) => onChange({ vatPercent: currentTarget.value })}
        >
          {rates.map((rate) => (
            <option key={rate} value={rate}>
              {decimalText(rate)} %
            </option>
          ))}
        </select>
      </label>
      <p className={css.net}>
        <span className={css.netName}>{t('draft.net')}</span>
        <Net minor={netOf(row, currency)} currency={currency} />
      </p>
      {!isOnly && (
        <button
          type="button"
          className={css.remove}
          aria-label={t('draft.remove_row', { n: index + 1 })}
          onClick={onRemove}
        >
          <Icon name="close" size={16} />
        </button>
      )}
      {row.vatPercent === '0' && (
        <div className={css.reason}>
          <Cell
            name={`rows.${index}.vatReason`}
            label={t('draft.vat_reason')}
            value={row.vatReason}
            wrong={wrong}
            onValue={(vatReason) => onChange({ vatReason })}
          />
        </div>
      )}
    </fieldset>
  )
}

function Net({ minor, currency }: { minor: number | undefined; currency: string }) {
  return minor === undefined ? <span>–</span> : <Figure minor={minor} currency={currency} isBare />
}

type CellProps = {
  name: string
  label: string
  value: string
  wrong: string | undefined
  isNumber?: boolean
  onValue: (value: string) => void
}

function Cell({ name, label, value, wrong, isNumber = false, onValue }: CellProps) {
  return (
    <label className={css.cell}>
      <span>{label}</span>
      <input
        name={name}
        value={value}
        autoComplete="off"
        inputMode={isNumber ? 'decimal' : undefined}
        data-end={isNumber || undefined}
        aria-invalid={wrong === name || undefined}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </label>
  )
}

/** What the rows come to, by rate and as a whole; nothing while a row cannot be priced. */
function Totals({ rows, currency }: { rows: readonly TypedRow[]; currency: Currency }) {
  const priced = priceRows(
    rows.map((row) => ({ ...row, description: row.description || '–', vatReason: row.vatReason || '–' })),
    currency,
  )
  if ('field' in priced) return null
  return (
    <dl className={css.totals}>
      {priced.taxes.map(({ percent, taxMinor }) => (
        <div key={percent}>
          <dt>{t('draft.tax', { percent: decimalText(percent) })}</dt>
          <dd>
            <Figure minor={taxMinor} currency={currency} isBare />
          </dd>
        </div>
      ))}
      <div className={css.total}>
        <dt>{t('draft.total', { currency })}</dt>
        <dd>
          <Figure minor={priced.totalMinor} currency={currency} isBare />
        </dd>
      </div>
    </dl>
  )
}
