import { ToastRegion } from '@kvitt/ui/feedback/toast.tsx'
import { useState, type ReactNode } from 'react'
import { Fields } from './fields.tsx'
import css from './lab.module.css'
import { PALETTES } from './palettes.ts'
import type { Part, State } from './part.ts'
import { Parts } from './parts.tsx'
import { PORTAL_PARTS } from './portal-parts.ts'

const THEMES = { system: '', light: 'light', dark: 'dark' }

/** What the address asks for. */
export type Wish = {
  readonly palette: string
  readonly theme: string
  /** Empty for the parts of the ui package. */
  readonly part: string
  /** Empty for all states of a part whose states stand together. */
  readonly state: string
}

const addressOf = (wish: Wish): string => `?${new URLSearchParams(wish)}`

const stateOf = (state: Part['states'][string]): State =>
  typeof state === 'function' ? { show: state } : state

/** The states that this page shows; none on that of the ui package. */
export function shownStates({ part: name, state }: Wish): (State & { name: string })[] {
  const part = PORTAL_PARTS.find((one) => one.name === name)
  return Object.entries(part?.states ?? {})
    .filter(([own]) => part?.isTogether || own === state)
    .map(([own, shown]) => ({ name: own, ...stateOf(shown) }))
}

/** The parts of the ui package, or one of the portal, under one provider's colours and in one theme. */
export function Lab({ wish }: { wish: Wish }) {
  const part = PORTAL_PARTS.find(({ name }) => name === wish.part)
  const link = (name: string, change: Partial<Wish>, isHere: boolean) => (
    <a
      key={name}
      className={css.link}
      href={addressOf({ ...wish, ...change })}
      aria-current={isHere ? 'page' : undefined}
    >
      {name}
    </a>
  )
  return (
    <>
      <aside className={`page ${css.page}`} aria-label="Lab">
        <h1>Lab</h1>
        <nav className={css.links} aria-label="Palette">
          {Object.keys(PALETTES).map((palette) => link(palette, { palette }, palette === wish.palette))}
        </nav>
        <nav className={css.links} aria-label="Theme">
          {Object.entries(THEMES).map(([name, theme]) => link(name, { theme }, theme === wish.theme))}
        </nav>
        <PartList link={link} wish={wish} />
      </aside>
      {part ? (
        <Shown part={part} wish={wish} />
      ) : (
        <main className={`page ${css.page}`}>
          <Parts />
          <Fields />
        </main>
      )}
      <ToastRegion />
    </>
  )
}

type PartListProps = {
  wish: Wish
  link: (name: string, change: Partial<Wish>, isHere: boolean) => ReactNode
}

/** The way to every page of the lab, made when somebody looks for one. */
function PartList({ wish, link }: PartListProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <nav aria-label="Parts">
      <button type="button" className={css.link} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Parts
      </button>
      {isOpen && (
        <>
          {link('ui', { part: '', state: '' }, wish.part === '')}
          <dl className={css.parts}>
            {PORTAL_PARTS.map(({ name, isTogether, states }) => (
              <div key={name}>
                <dt>{name}</dt>
                {Object.keys(isTogether ? { 'all states': '' } : states).map((own) => {
                  const state = isTogether ? '' : own
                  return (
                    <dd key={own}>
                      {link(own, { part: name, state }, name === wish.part && state === wish.state)}
                    </dd>
                  )
                })}
              </div>
            ))}
          </dl>
        </>
      )}
    </nav>
  )
}

/** Each state below its name. A whole page has landmarks of its own, among which a name has no place. */
function Shown({ part, wish }: { part: Part; wish: Wish }) {
  const states = shownStates(wish)
  if (part.place === 'whole') return states.map(({ name, show }) => <div key={name}>{show()}</div>)
  const isAround = part.place === 'around'
  return (
    <>
      {isAround && states.map(({ name, show }) => <div key={name}>{show()}</div>)}
      <main className={`page ${css.page} ${css.group}`}>
        <h2>{part.name}</h2>
        {states.map(({ name, show }) => (
          <div key={name} className={css.state}>
            <p id={part.isTogether ? undefined : 'lab-state'} className={css.label}>
              {name}
            </p>
            {!isAround && <div data-place={part.place}>{show()}</div>}
          </div>
        ))}
      </main>
    </>
  )
}
