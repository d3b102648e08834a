import css from './key-cap.module.css'

/** A key that works here. Beside words that say the same, so it is not read out. */
export function KeyCap({ children }: { children: string }) {
  return (
    <kbd className={css.cap} aria-hidden="true">
      {children}
    </kbd>
  )
}
