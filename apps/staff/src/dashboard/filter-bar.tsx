import { PERIODS } from '@kvitt/domain/dashboard/period.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useId, useState } from 'react'
import { t } from '../text.ts'
import type { Dashboard } from './dashboard-calls.ts'
import css from './dashboard-page.module.css'
import { addressOf, choiceOf, type Filters } from './filters.ts'

type FilterBarProps = {
  filters: Filters
  data: Dashboard | undefined
  /** What the filters ask for was refused, or did not come. */
  isFailed: boolean
}

const show = (filters: Filters): void => goTo(addressOf(filters), { replace: true })

/** Of which days and of whom the figures are. Each choice is in the address at once. */
export function FilterBar({ filters, data, isFailed }: FilterBarProps) {
  const id = useId()
  const { creditor } = filters
  const ofCreditor = creditor === undefined ? {} : { creditor }
  const choice = choiceOf(filters)
  const choose = (value: string): void => {
    const period = PERIODS.find((name) => name === value)
    if (period) show({ ...ofCreditor, period })
    else if (data) show({ ...ofCreditor, from: data.from, to: data.to })
  }
  return (
    <search className={css.filters}>
      <span className={css.pair}>
        <label htmlFor={`${id}period`}>{t('dashboard.period')}</label>
        <select id={`${id}period`} value={choice} onChange={({ target }) => choose(target.value)}>
          {PERIODS.map((name) => (
            <option key={name} value={name}>
              {t(`dashboard.period.${name}`)}
            </option>
          ))}
          <option value="own" disabled={!data && choice !== 'own'}>
            {t('dashboard.period.own')}
          </option>
        </select>
      </span>
      {choice === 'own' && (
        <>
          <OwnDay name="from" filters={filters} />
          <OwnDay name="to" filters={filters} />
        </>
      )}
      {(creditor !== undefined || (data?.creditors.length ?? 0) > 1) && (
        <span className={css.pair}>
          <label htmlFor={`${id}creditor`}>{t('column.creditor')}</label>
          <select
            id={`${id}creditor`}
            value={creditor ?? ''}
            onChange={({ target: { value } }) => {
              const { creditor: _, ...rest } = filters
              show(value === '' ? rest : { ...rest, creditor: value })
            }}
          >
            <option value="">{t('dashboard.all_creditors')}</option>
            {/* One that the address names and that there is not: without its row nothing could be chosen instead. */}
            {creditor !== undefined && !data?.creditors.some(({ id: known }) => known === creditor) && (
              <option value={creditor}>{isFailed ? t('dashboard.unknown_creditor') : '…'}</option>
            )}
            {data?.creditors.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </span>
      )}
    </search>
  )
}

function OwnDay({ name, filters }: { name: 'from' | 'to'; filters: Filters }) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  return (
    <span className={css.pair}>
      <label htmlFor={id}>{t(`dashboard.${name}`)}</label>
      <input
        id={id}
        type="date"
        value={typed ?? filters[name] ?? ''}
        onChange={({ target: { value } }) => {
          setTyped(value)
          // A year that is being typed begins with noughts.
          if (value >= '2000') show({ ...filters, [name]: value })
        }}
        onBlur={() => setTyped(undefined)}
      />
    </span>
  )
}
