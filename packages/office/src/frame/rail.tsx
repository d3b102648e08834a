import { OfficeIcon, type OfficeIconName } from '../parts/office-icon.tsx'
import { useRef, type RefObject } from 'react'
import type { OfficeProvider } from '../provider.ts'
import { KeyCap } from '../parts/key-cap.tsx'
import { hashOf } from '../place.ts'
import { t } from '../text.ts'
import { Mark } from './mark.tsx'
import { PersonMenu, type Person } from './person-menu.tsx'
import css from './rail.module.css'

export type RailEntry = {
  readonly view: string
  readonly icon: OfficeIconName
  readonly text: string
  readonly count?: number | undefined
}
export type RailGroup = { readonly label?: string; readonly entries: readonly RailEntry[] }

type RailProps = {
  provider: OfficeProvider
  /** Whose portal this is: a creditor, or the provider itself. */
  owner: string
  groups: readonly RailGroup[]
  current: string
  person: Person
  search: RefObject<HTMLInputElement | null>
  onSearch: (text: string) => void
  onKeys: () => void
  onLog: () => void
  isOpen: boolean
  onClose: () => void
}

/** The navigation at the left: icons alone on a tablet, a sheet on a phone. */
export function Rail(props: RailProps) {
  const { provider, owner, groups, current, person, search, onSearch, onKeys, onLog, isOpen, onClose } = props
  const own = useRef<HTMLInputElement>(null)
  return (
    <nav
      className={css.rail}
      data-open={isOpen || undefined}
      aria-label={t('office.navigation')}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <a className={css.owner} href={hashOf({ view: '' })}>
        <Mark logo={provider.logo} />
        <span className={css.words}>
          <span className={css.name}>{owner}</span>
          {owner !== provider.name && (
            <span className={css.via}>{t('office.via', { provider: provider.shortName })}</span>
          )}
        </span>
      </a>
      <search>
        <form
          className={css.search}
          onSubmit={(event) => {
            event.preventDefault()
            onSearch((search.current ?? own.current)?.value.trim() ?? '')
          }}
        >
          <OfficeIcon name="search" />
          <input
            ref={search}
            type="search"
            aria-label={t('office.search')}
            placeholder={t('office.search')}
          />
          <KeyCap>/</KeyCap>
        </form>
      </search>
      {groups.map(({ label, entries }) => (
        <div key={label ?? ''} className={css.group}>
          {label && <p className={css.label}>{label}</p>}
          <ul>
            {entries.map(({ view, icon, text, count }) => (
              <li key={view}>
                <a
                  className={css.entry}
                  href={hashOf({ view })}
                  title={text}
                  aria-current={view === current ? 'page' : undefined}
                  onClick={onClose}
                >
                  <OfficeIcon name={icon} />
                  <span className={css.words}>{text}</span>
                  {count !== undefined && count > 0 && <span className={css.count}>{count}</span>}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className={css.foot}>
        <button type="button" className={css.entry} title={t('messages.title')} onClick={onLog}>
          <OfficeIcon name="bell" />
          <span className={css.words}>{t('messages.title')}</span>
        </button>
        <button type="button" className={css.entry} title={t('keys.title')} onClick={onKeys}>
          <OfficeIcon name="help" />
          <span className={css.words}>{t('keys.title')}</span>
          <KeyCap>?</KeyCap>
        </button>
        <PersonMenu person={person} />
      </div>
    </nav>
  )
}
