import type { ComponentProps } from 'react'
import css from './button.module.css'
import { Icon, type IconName } from './icon.tsx'

type ButtonLinkProps = Omit<ComponentProps<'a'>, 'className'> & {
  look?: 'primary' | 'secondary'
  icon?: IconName
  wide?: boolean
}

/** A link that looks like a button: for what leads to another program, which only a real link may open. */
export function ButtonLink({ look = 'primary', icon, wide = false, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} className={`${css.button} ${css.link}`} data-look={look} data-wide={wide || undefined}>
      <span className={css.label}>
        {icon && <Icon name={icon} size={20} />}
        <span>{children}</span>
      </span>
    </a>
  )
}
