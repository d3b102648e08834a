import type { ReactNode } from 'react'
import css from './disclosure.module.css'
import { Icon, type IconName } from './icon.tsx'

type DisclosureProps = {
  title: ReactNode
  children: ReactNode
  icon?: IconName
  /** Disclosures of one group close each other. */
  group?: string
  id?: string
  look?: 'row' | 'text'
  onOpen?: () => void
}

/** A native disclosure: a row of a list, or a text action that opens what stands below it. */
export function Disclosure({ title, children, icon, group, id, look = 'row', onOpen }: DisclosureProps) {
  return (
    <details
      className={css.details}
      data-look={look}
      name={group}
      id={id}
      onToggle={(event) => event.currentTarget.open && onOpen?.()}
    >
      <summary className={css.summary}>
        {icon && (
          <span className={css.icon}>
            <Icon name={icon} size={20} />
          </span>
        )}
        <span className={css.title}>{title}</span>
        <span className={css.arrow}>
          <Icon name="chevron-down" size={20} />
        </span>
      </summary>
      <div className={css.content}>{children}</div>
    </details>
  )
}
