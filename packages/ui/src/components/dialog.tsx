import { useEffect, useId, useRef, type ReactNode } from 'react'
import { say } from '../language/speak.ts'
import css from './dialog.module.css'
import { Icon } from './icon.tsx'

/** A native modal dialog: Esc and the backdrop close it, and the focus returns to where it was, however it goes. */
export function Dialog(props: {
  title: string
  onClose: () => void
  children: ReactNode
  /** Buttons that stay in sight below what scrolls. */
  actions?: ReactNode
}) {
  const { title, onClose, children, actions } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) {
      opener.current = document.activeElement
      element.showModal()
    }
    return () => {
      // The browser sees to it when a dialog closes, and not when it is taken out of the page.
      const from = opener.current
      if (document.activeElement === document.body && from instanceof HTMLElement) from.focus()
    }
  }, [])
  const closed = () => {
    // The browser gives the focus back without scrolling, and the page may have moved behind the dialog.
    opener.current?.scrollIntoView({ block: 'nearest' })
    onClose()
  }
  return (
    <dialog
      ref={dialog}
      className={css.dialog}
      aria-labelledby={titleId}
      onClose={closed}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className={css.sheet}>
        <div className={css.head}>
          <h2 id={titleId}>{title}</h2>
          <button
            type="button"
            className={css.close}
            aria-label={say('form.close')}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </div>
        <div className={css.body}>{children}</div>
        {actions && <div className={css.actions}>{actions}</div>}
      </div>
    </dialog>
  )
}
