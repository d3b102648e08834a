import { formatCount } from '../count-text.ts'
import { say } from '../language/speak.ts'
import { Icon } from './icon.tsx'
import css from './pager.module.css'

type PagerProps = {
  /** Counted from 1. */
  page: number
  limit: number
  total: number
  sizes: readonly number[]
  /** What is paged, for screen readers. */
  label: string
  onChange: (next: { page: number; limit: number }) => void
}

/** Which part of a list is shown, how long the parts are, and the way to the next. */
export function Pager({ page, limit, total, sizes, label, onChange }: PagerProps) {
  const from = Math.min((page - 1) * limit + 1, total)
  const to = Math.min(page * limit, total)
  return (
    <nav className={css.pager} aria-label={label}>
      <label className={css.size}>
        {say('pager.rows')}
        <span className={css.field}>
          <select
            className={css.select}
            value={limit}
            onChange={(event) => onChange({ page: 1, limit: Number(event.currentTarget.value) })}
          >
            {sizes.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </select>
          <Icon name="chevron-down" size={20} />
        </span>
      </label>
      <span className={css.range} role="status">
        {say('pager.range', {
          from: formatCount(from),
          to: formatCount(to),
          total: formatCount(total),
        })}
      </span>
      {total > limit && (
        <span className={css.turns}>
          <Turn way="left" isOn={page > 1} onTurn={() => onChange({ page: page - 1, limit })} />
          <Turn way="right" isOn={to < total} onTurn={() => onChange({ page: page + 1, limit })} />
        </span>
      )}
    </nav>
  )
}

/** Stays reachable when there is nothing more, so that the focus is not lost on the last page. */
function Turn({ way, isOn, onTurn }: { way: 'left' | 'right'; isOn: boolean; onTurn: () => void }) {
  return (
    <button
      type="button"
      className={css.turn}
      aria-disabled={!isOn || undefined}
      aria-label={say(way === 'left' ? 'pager.previous' : 'pager.next')}
      onClick={() => isOn && onTurn()}
    >
      <Icon name={way === 'left' ? 'chevron-left' : 'chevron-right'} size={20} />
    </button>
  )
}
