import css from './tabs.module.css'

export type Tab = { readonly id: string; readonly text: string; readonly count?: number | undefined }

type TabsProps = { label: string; tabs: readonly Tab[]; current: string; hrefOf: (tab: string) => string }

/** Filters that stand in the address. One with nothing in it has no pill. */
export function Tabs({ label, tabs, current, hrefOf }: TabsProps) {
  return (
    <nav className={css.tabs} aria-label={label}>
      <ul>
        {tabs.map(({ id, text, count }) => (
          <li key={id}>
            <a href={hrefOf(id)} aria-current={id === current ? 'page' : undefined} className={css.tab}>
              {text}
              {count !== undefined && count > 0 && <span className={css.pill}>{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
