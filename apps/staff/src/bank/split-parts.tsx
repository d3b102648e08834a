import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { t } from '../text.ts'
import type { Target } from './bank-calls.ts'
import css from './bank.module.css'

export type TypedPart = { readonly number: string; readonly amount: string }
const EMPTY: TypedPart = { number: '', amount: '' }
export const EMPTY_PARTS: readonly TypedPart[] = [EMPTY, EMPTY]

/** Undefined until each part that is begun has both. */
export function targetOfParts(parts: readonly TypedPart[]): Target | undefined {
  const begun = parts.filter(({ number, amount }) => number.trim() !== '' || amount.trim() !== '')
  if (begun.length === 0 || begun.some(({ number, amount }) => number.trim() === '' || amount.trim() === ''))
    return undefined
  return {
    parts: begun.map(({ number, amount }) => ({
      invoice: number.trim(),
      amount: amount.replaceAll(/\s/g, '').replace(',', '.'),
    })),
  }
}

type SplitProps = { parts: readonly TypedPart[]; onParts: (parts: readonly TypedPart[]) => void }

/** Numbers of invoices, and what of the money is for each. */
export function SplitParts({ parts, onParts }: SplitProps) {
  const change = (at: number, part: Partial<TypedPart>): void =>
    onParts(parts.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset className={css.candidates}>
      <legend className={css.head}>{t('bank.split')}</legend>
      {parts.map((part, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a part has nothing else that stays
        <div key={at} className={css.line}>
          <label className={css.field}>
            <span className={css.note}>{t('bank.number')}</span>
            <input
              className={css.input}
              value={part.number}
              onChange={(event) => change(at, { number: event.currentTarget.value })}
            />
          </label>
          <label className={css.field}>
            <span className={css.note}>{t('act.amount')}</span>
            <input
              className={css.input}
              inputMode="decimal"
              value={part.amount}
              onChange={(event) => change(at, { amount: event.currentTarget.value })}
            />
          </label>
        </div>
      ))}
      <div>
        <OfficeButton look="quiet" onClick={() => onParts([...parts, EMPTY])}>
          {t('bank.one_more')}
        </OfficeButton>
      </div>
    </fieldset>
  )
}
