import { OfficeIcon } from '../parts/office-icon.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { useRef, useState, type ReactNode } from 'react'
import { KeysDialog, type KeyRow } from '../keys/keys-dialog.tsx'
import { useKeys } from '../keys/keys.ts'
import { MessageLog } from '../messages/message-log.tsx'
import { MessageRegion } from '../messages/message-region.tsx'
import { hashOf } from '../place.ts'
import type { OfficeProvider } from '../provider.ts'
import { t } from '../text.ts'
import css from './frame.module.css'
import type { Person } from './person-menu.tsx'
import { Rail, type RailGroup } from './rail.tsx'

type FrameProps = {
  provider: OfficeProvider
  owner: string
  groups: readonly RailGroup[]
  current: string
  person: Person
  /** `G` and this letter lead to a view. */
  letters: Readonly<Record<string, string>>
  onSearch: (text: string) => void
  children: ReactNode
}

/** What stands around every view of a portal of staff. */
export function Frame({ letters, children, onSearch, groups, ...rest }: FrameProps) {
  const [open, setOpen] = useState<'keys' | 'log'>()
  const [isRailOpen, setRailOpen] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const menu = useRef<HTMLButtonElement>(null)
  const entries = groups.flatMap((group) => group.entries)
  const ways = Object.entries(letters).filter(([, view]) => entries.some((entry) => entry.view === view))
  const lookFor = () => {
    setRailOpen(true)
    requestAnimationFrame(() => search.current?.focus())
  }
  useKeys({
    '/': lookFor,
    '?': () => setOpen('keys'),
    ...Object.fromEntries(ways.map(([letter, view]) => [`g ${letter}`, () => goTo(hashOf({ view }))])),
  })
  const places: KeyRow[] = ways.map(([letter, view]) => ({
    keys: ['G', letter.toUpperCase()],
    does: entries.find((entry) => entry.view === view)?.text ?? view,
  }))
  return (
    <div className={css.app}>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        {t('office.skip')}
      </a>
      <header className={css.narrow}>
        <button
          ref={menu}
          type="button"
          className={css.menu}
          aria-expanded={isRailOpen}
          aria-label={t('office.navigation')}
          onClick={() => setRailOpen(!isRailOpen)}
        >
          <OfficeIcon name="menu" size={20} />
        </button>
        <span className={css.owner}>{rest.owner}</span>
        <button type="button" className={css.menu} aria-label={t('office.search')} onClick={lookFor}>
          <OfficeIcon name="search" size={20} />
        </button>
      </header>
      {isRailOpen && <div className={css.shade} onClick={() => setRailOpen(false)} aria-hidden="true" />}
      <Rail
        {...rest}
        groups={groups}
        search={search}
        isOpen={isRailOpen}
        onSearch={(text) => {
          setRailOpen(false)
          onSearch(text)
        }}
        onKeys={() => setOpen('keys')}
        onLog={() => setOpen('log')}
        onClose={() => {
          if (isRailOpen) menu.current?.focus()
          setRailOpen(false)
        }}
      />
      <main id="main" className={css.main} tabIndex={-1}>
        {children}
      </main>
      <MessageRegion />
      {open === 'keys' && <KeysDialog places={places} onClose={() => setOpen(undefined)} />}
      {open === 'log' && <MessageLog onClose={() => setOpen(undefined)} />}
    </div>
  )
}
