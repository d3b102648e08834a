import { Icon } from '@kvitt/ui/components/icon.tsx'
import { useId } from 'react'
import { t } from '../text.ts'
import { LanguageList } from './language-list.tsx'
import css from './person-menu.module.css'

export type Person = {
  readonly name: string
  readonly role: string
  readonly memberships: readonly { readonly id: string; readonly name: string; readonly role: string }[]
  readonly membershipId: string
  readonly onSwitch: (membershipId: string) => void
}

export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => part[0] ?? '')
    .filter((_part, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase()

/** Who is here: another of their memberships, another language, and the way out. */
export function PersonMenu({ person }: { person: Person }) {
  const id = useId()
  const { name, role, memberships, membershipId, onSwitch } = person
  return (
    <div className={css.person}>
      <button type="button" className={css.button} popoverTarget={id} title={name}>
        <span className={css.avatar} aria-hidden="true">
          {initialsOf(name)}
        </span>
        <span className={css.words}>
          <span className={css.name}>{name}</span>
          <span className={css.role}>{role}</span>
        </span>
      </button>
      <div className={css.menu} id={id} popover="auto">
        {memberships.length > 1 && (
          <>
            <p className={css.label}>{t('office.work_for')}</p>
            <ul>
              {memberships.map((one) => (
                <li key={one.id}>
                  <button
                    type="button"
                    className={css.choice}
                    aria-current={one.id === membershipId ? 'true' : undefined}
                    onClick={() => onSwitch(one.id)}
                  >
                    <span>
                      {one.name} <span className={css.role}>{one.role}</span>
                    </span>
                    {one.id === membershipId && <Icon name="check" size={16} />}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        <p className={css.label}>{t('nav.select_language')}</p>
        <LanguageList />
        <a className={css.out} href="#/account">
          <Icon name="id-card" size={16} />
          {t('office.account')}
        </a>
        <a className={css.out} href="#/logout">
          <Icon name="log-out" size={16} />
          {t('office.sign_out')}
        </a>
      </div>
    </div>
  )
}
