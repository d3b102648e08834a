import { useState, type ReactNode } from 'react'
import { t } from '../text.ts'
import css from './switched.module.css'

type SwitchedProps = {
  /** Under which it is remembered whether this one is looked at as a table. */
  name: string
  title: string
  note?: string
  chart: ReactNode
  table: ReactNode
}

/** A chart, and the same in a table; which of them is remembered. */
export function Switched({ name, title, note, chart, table }: SwitchedProps) {
  const kept = `${name}_as_table`
  const [isTable, setTable] = useState(() => localStorage.getItem(kept) !== null)
  const show = (asTable: boolean) => {
    if (asTable) localStorage.setItem(kept, 'true')
    else localStorage.removeItem(kept)
    setTable(asTable)
  }
  return (
    <section className={css.part} aria-label={title}>
      <header className={css.head}>
        <h2>{title}</h2>
        <div className={css.switch} role="group" aria-label={t('figures.shown_as')}>
          <button type="button" aria-pressed={!isTable} onClick={() => show(false)}>
            {t('figures.chart')}
          </button>
          <button type="button" aria-pressed={isTable} onClick={() => show(true)}>
            {t('figures.table')}
          </button>
        </div>
      </header>
      {note && <p className={css.note}>{note}</p>}
      {isTable ? table : chart}
    </section>
  )
}
