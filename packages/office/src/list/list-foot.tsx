import { formatCount } from '@kvitt/ui/count-text.ts'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { KeyCap } from '../parts/key-cap.tsx'
import { t } from '../text.ts'
import css from './list-foot.module.css'
import { SIZES, type ListQuery } from './list-query.ts'

type FootProps = {
  query: Pick<ListQuery, 'page' | 'limit'>
  total: number
  label: string
  onChange: (change: Partial<ListQuery>) => void
}

/** Below a list: the keys that work in it, which part is shown, and the way to the next. */
export function ListFoot({ query: { page, limit }, total, label, onChange }: FootProps) {
  const from = limit < 0 ? Math.min(1, total) : Math.min((page - 1) * limit + 1, total)
  const to = limit < 0 ? total : Math.min(page * limit, total)
  const turn = (isOn: boolean, next: number) => isOn && onChange({ page: next })
  return (
    <footer className={css.foot}>
      <p className={css.keys} aria-hidden="true">
        <KeyCap>J</KeyCap>
        <KeyCap>K</KeyCap> {t('keys.move')}
        <KeyCap>↵</KeyCap> {t('keys.open')}
      </p>
      <nav className={css.pager} aria-label={label}>
        <label>
          {t('pager.rows')}{' '}
          <select
            className={css.select}
            value={limit}
            onChange={({ currentTarget }) => onChange({ limit: Number(currentTarget.value) })}
          >
            {SIZES.map((size) => (
              <option key={size} value={size}>
                {size < 0 ? t('list.all') : size}
              </option>
            ))}
          </select>
        </label>
        <span role="status">
          {t('pager.range', { from: formatCount(from), to: formatCount(to), total: formatCount(total) })}
        </span>
        <button
          type="button"
          className={css.turn}
          aria-disabled={page <= 1 || undefined}
          aria-label={t('pager.previous')}
          onClick={() => turn(page > 1, page - 1)}
        >
          <Icon name="chevron-left" size={16} />
        </button>
        <button
          type="button"
          className={css.turn}
          aria-disabled={to >= total || undefined}
          aria-label={t('pager.next')}
          onClick={() => turn(to < total, page + 1)}
        >
          <Icon name="chevron-right" size={16} />
        </button>
      </nav>
    </footer>
  )
}
