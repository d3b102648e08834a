import type { ListQuery } from '@kvitt/office/list/list-query.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { useState } from 'react'
import { t } from '../text.ts'
import { tabOf } from './audit-calls.ts'
import css from './audit-page.module.css'
import { kindText, KINDS, shortOf } from './audit-words.ts'

type FiltersProps = {
  query: ListQuery
  /** The person's name, where an entry of the list has it. */
  nameOf: (actor: string) => string | undefined
  onChange: (filters: ListQuery['filters']) => void
}

/** From when to when, what, by whom and about what. */
export function AuditFilters({ query, nameOf, onChange }: FiltersProps) {
  const { filters } = query
  const set = (name: string, value: string) => {
    const { [name]: _, ...others } = filters
    onChange(value === '' ? others : { ...others, [name]: value })
  }
  const kinds = KINDS[tabOf(query.tab)]
    .map((kind) => ({ kind, text: kindText(kind) }))
    .toSorted((one, other) => one.text.localeCompare(other.text))
  const { kind = '', actor, about } = filters
  return (
    <div className={css.filters} role="group" aria-label={t('list.filters')}>
      <DayField name="from" value={filters['from'] ?? ''} onDay={(day) => set('from', day)} />
      <DayField name="to" value={filters['to'] ?? ''} onDay={(day) => set('to', day)} />
      <label className={css.field}>
        {t('audit.kind')}
        <select value={kind} onChange={({ currentTarget }) => set('kind', currentTarget.value)}>
          <option value="">{t('audit.all_kinds')}</option>
          {kind !== '' && !kinds.some((one) => one.kind === kind) && (
            <option value={kind}>{kindText(kind)}</option>
          )}
          {kinds.map((one) => (
            <option key={one.kind} value={one.kind}>
              {one.text}
            </option>
          ))}
        </select>
      </label>
      {actor !== undefined && (
        <Only text={nameOf(actor) ?? shortOf(actor)} onLeave={() => set('actor', '')} />
      )}
      {about !== undefined && <Only text={shortOf(about)} onLeave={() => set('about', '')} />}
    </div>
  )
}

function Only({ text, onLeave }: { text: string; onLeave: () => void }) {
  return (
    <span className={css.only}>
      {t('audit.only_who', { who: text })}
      <OfficeButton look="quiet" aria-label={t('audit.leave_out', { filter: text })} onClick={onLeave}>
        ×
      </OfficeButton>
    </span>
  )
}

type DayFieldProps = { name: 'from' | 'to'; value: string; onDay: (day: string) => void }

function DayField({ name, value, onDay }: DayFieldProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <label className={css.field}>
      {t(`audit.${name}`)}
      <input
        type="date"
        value={typed ?? value}
        onChange={({ currentTarget }) => {
          const day = currentTarget.value
          setTyped(day)
          // A year that is being typed begins with noughts.
          if (day === '' || day >= '2000') onDay(day)
        }}
        onBlur={() => setTyped(undefined)}
      />
    </label>
  )
}
