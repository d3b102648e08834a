import { OfficeIcon, type OfficeIconName } from './office-icon.tsx'
import { Spinner } from '@kvitt/ui/feedback/spinner.tsx'
import type { ComponentProps } from 'react'
import css from './office-button.module.css'
import { KeyCap } from './key-cap.tsx'

type Look = {
  look?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'normal' | 'large'
  icon?: OfficeIconName
  /** The key that does the same. */
  cap?: string
}

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> &
  Look & {
    /** Work is under way: the button waits for its end. */
    isBusy?: boolean
  }

export function OfficeButton(props: ButtonProps) {
  const { look = 'secondary', size = 'normal', icon, cap, isBusy = false, children, onClick, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      className={css.button}
      data-look={look}
      data-size={size}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    >
      {isBusy ? <Spinner /> : icon && <OfficeIcon name={icon} />}
      <span>{children}</span>
      {cap && <KeyCap>{cap}</KeyCap>}
    </button>
  )
}

/** A link that looks like a button. */
export function OfficeLink(props: Omit<ComponentProps<'a'>, 'className'> & Look) {
  const { look = 'secondary', size = 'normal', icon, cap, children, ...rest } = props
  return (
    <a {...rest} className={css.button} data-look={look} data-size={size}>
      {icon && <OfficeIcon name={icon} />}
      <span>{children}</span>
      {cap && <KeyCap>{cap}</KeyCap>}
    </a>
  )
}
