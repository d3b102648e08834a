import { Icon } from '@kvitt/ui/components/icon.tsx'
import { useEffect, useRef, type ReactNode } from 'react'
import { useKeys } from '../keys/keys.ts'
import { KeyCap } from '../parts/key-cap.tsx'
import { t } from '../text.ts'
import css from './panel.module.css'

type PanelProps = {
  /** What it is: "Dispute", and of what. */
  kind: ReactNode
  title: string
  /** "6 of 13" */
  place?: string
  children: ReactNode
  /** The one decision. */
  foot?: ReactNode
  onClose: () => void
}

/** One case beside its list. Its heading takes the focus, so that a screen reader says what has opened. */
export function Panel({ kind, title, place, children, foot, onClose }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useKeys({ Escape: onClose })
  return (
    <section className={css.panel} aria-label={title}>
      <header className={css.head}>
        <p className={css.kind}>{kind}</p>
        {place && <span className={css.place}>{place}</span>}
        <KeyCap>J</KeyCap>
        <KeyCap>K</KeyCap>
        <button type="button" className={css.close} aria-label={t('form.close')} onClick={onClose}>
          <Icon name="close" size={16} />
        </button>
      </header>
      <div className={css.body}>
        <h2 ref={heading} tabIndex={-1} className={css.title}>
          {title}
        </h2>
        {children}
      </div>
      {foot && <footer className={css.foot}>{foot}</footer>}
    </section>
  )
}
