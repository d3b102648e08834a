import { isCurrency, parseAmount } from '@kvitt/domain/money.ts'
import { readWritten, type WrittenSetting } from '@kvitt/domain/part-payments/setting-version.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { OfficeField, SelectField } from '@kvitt/office/form/office-field.tsx'
import { useFields } from '@kvitt/office/form/use-fields.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { decimalOf } from './decimal-of.ts'
import { LegalChecks } from './legal-checks.tsx'
import { previewQuery, type Outcome, type PreviewAsked, type Sample } from './preview-calls.ts'
import css from './setting-preview.module.css'
import { percentText, placeName } from './setting-words.ts'
import { t } from '../../text.ts'

/** Small, middle, large. */
const BALANCES = ['1000', '5000', '20000'] as const
const PAUSE_MS = 400

type PreviewProps = {
  creditorId: string | null
  currency: string
  /** What is not agreed to yet; without it what is offered now. */
  version?: WrittenSetting
  /** Which creditor's debtors, where that can be chosen. */
  children?: ReactNode
}

/** The last value that has stood for a moment: nobody is asked with every letter. */
function useSettled(value: PreviewAsked): PreviewAsked {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return JSON.parse(settled) as PreviewAsked
}

/** Nothing is asked about what is only half written. */
function isReadable({ balances, currency, version }: PreviewAsked): boolean {
  const areSums = balances.every(
    (text) => isCurrency(currency) && (parseAmount(text, currency)?.minor ?? 0) > 0,
  )
  return areSums && (!version?.isOffered || !('field' in readWritten(version)))
}

/** What debtors are or would be offered for three balances that can be changed, and what the law makes of a version. */
export function SettingPreview({ creditorId, currency, version, children }: PreviewProps) {
  const fields = useFields(
    Object.fromEntries(BALANCES.map((_, index) => [`balance${index}`, { type: 'text', mandatory: true }])),
    Object.fromEntries(BALANCES.map((balance, index) => [`balance${index}`, balance])),
  )
  const [debtorKind, setKind] = useState<PreviewAsked['debtorKind']>('consumer')
  const balances = BALANCES.map((_, index) => decimalOf(fields.values[`balance${index}`]))
  const asked = useSettled({
    creditorId,
    debtorKind,
    currency,
    balances,
    ...(version === undefined ? {} : { version }),
  })
  const isWhole = isReadable(asked)
  const found = useQuery({ ...previewQuery(asked), enabled: isWhole })
  const data = isWhole ? found.data : undefined
  return (
    <div className={css.preview}>
      <div className={css.choices}>
        {children}
        <SelectField
          label={t('setting.debtor')}
          name="debtorKind"
          value={debtorKind}
          onValue={(value) => setKind(value === 'business' ? 'business' : 'consumer')}
          choices={(['consumer', 'business'] as const).map((value) => ({
            value,
            text: t(`setting.debtor.${value}`),
          }))}
        />
        {BALANCES.map((balance, index) => (
          <OfficeField
            key={balance}
            {...fields.propsOf(`balance${index}`)}
            look="number"
            unit={currency}
            label={t('setting.balance', { n: index + 1 })}
          />
        ))}
      </div>
      {!isWhole && <p className={css.quiet}>{t('setting.incomplete')}</p>}
      {isWhole && found.isError && (
        <p className={css.fault} role="status">
          {failureText(found.error)}
        </p>
      )}
      {data && !found.isError && (
        <>
          <p className={css.quiet}>
            {data.country === null
              ? t('setting.by_law.none')
              : t('setting.by_law', { country: placeName(data.country), day: formatDay(data.day) })}
          </p>
          {asked.version && <LegalChecks checks={data.checks} currency={data.currency} />}
          {data.samples.map((sample, index) => (
            <SampleTable
              key={`${index} ${sample.balance}`}
              sample={sample}
              currency={data.currency}
              day={asked.version && data.day}
            />
          ))}
        </>
      )}
    </div>
  )
}

const moneyOf = (amount: number, currency: string): string =>
  formatMoney(minorOf(amount), currency, currentLanguage())

type TableProps = { sample: Sample; currency: string; day: string | undefined }

/** One balance: each plan with its figures, the old terms beside the new where there are such. */
function SampleTable({ sample: { balance, rows }, currency, day }: TableProps) {
  const title = t('setting.sample', { balance: moneyOf(balance, currency) })
  if (rows.length === 0)
    return (
      <p>
        {title}: {t('setting.sample.none')}
      </p>
    )
  return (
    <table className={css.table} aria-label={title}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t('setting.code')}</th>
          <th scope="col">{day === undefined ? t('setting.offered') : t('setting.offered.without')}</th>
          {day !== undefined && (
            <th scope="col">{t('setting.offered.with', { day: formatDay(day, 'short') })}</th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ code, variant, before, after }) => {
          const isNew = JSON.stringify(before) !== JSON.stringify(after)
          return (
            <tr key={code}>
              <th scope="row">
                {code}
                <span className={css.quiet}>{t(`setting.variant.${variant}`)}</span>
              </th>
              <td data-name={day === undefined ? undefined : t('setting.offered.without')}>
                <Figures outcome={before} currency={currency} />
              </td>
              {day !== undefined && (
                <td
                  data-new={isNew || undefined}
                  data-name={t('setting.offered.with', { day: formatDay(day, 'short') })}
                >
                  {isNew ? <Figures outcome={after} currency={currency} /> : t('setting.same')}
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Figures({ outcome, currency }: { outcome: Outcome | null; currency: string }) {
  if (outcome === null) return t('setting.why.missing')
  const { figures, why } = outcome
  if (figures === null)
    return why === null ? null : <span className={css.quiet}>{t(`setting.why.${why}`)}</span>
  const { instalments, monthly, totalToPay, cost, effectiveRate } = figures
  return (
    <>
      <span className={css.monthly}>
        {t('setting.monthly', { amount: moneyOf(monthly, currency), count: instalments })}
      </span>
      <span>
        {t('setting.total', { total: moneyOf(totalToPay, currency), cost: moneyOf(cost, currency) })}
      </span>
      {effectiveRate !== null && (
        <span className={css.quiet}>
          {t('setting.effective', { percent: percentText(String(effectiveRate)) })}
        </span>
      )}
    </>
  )
}
