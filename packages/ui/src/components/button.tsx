import type { ComponentProps, MouseEvent } from 'react'
import css from './button.module.css'
import { Icon, type IconName } from './icon.tsx'
import { Spinner } from '../feedback/spinner.tsx'

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  look?: 'primary' | 'secondary' | 'text'
  icon?: IconName
  iconAfter?: IconName
  /** A verb such as "Opening": shown with a ring while the button is locked, without changing its width. */
  busy?: string | undefined
  wide?: boolean
}

export function Button(props: ButtonProps) {
  const { look = 'primary', icon, iconAfter, busy, wide = false, children, onClick, ...rest } = props
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy !== undefined) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={css.button}
      data-look={look}
      data-wide={wide || undefined}
      aria-busy={busy !== undefined || undefined}
      aria-disabled={busy !== undefined || rest['aria-disabled']}
      onClick={press}
    >
      <span className={css.label} data-hidden={busy !== undefined || undefined}>
        {icon && <Icon name={icon} size={20} />}
        <span>{children}</span>
        {iconAfter && <Icon name={iconAfter} size={20} />}
      </span>
      {busy !== undefined && (
        <span className={css.busy}>
          <Spinner />
          {busy}
        </span>
      )}
    </button>
  )
}
