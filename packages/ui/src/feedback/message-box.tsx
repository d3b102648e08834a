import type { ReactNode, Ref } from 'react'
import { Icon, type IconName } from '../components/icon.tsx'
import css from './message-box.module.css'

type MessageTone = 'ok' | 'info' | 'warn' | 'bad'
const ICONS: Readonly<Record<MessageTone, IconName>> = {
  ok: 'shield',
  info: 'info',
  warn: 'info',
  bad: 'alert',
}

type MessageBoxProps = {
  tone: MessageTone
  heading?: ReactNode
  children: ReactNode
  /** `alert` when it appears because something stopped; it then may take the focus through `ref`. */
  role?: 'alert' | 'status'
  ref?: Ref<HTMLDivElement>
}

export function MessageBox({ tone, heading, children, role, ref }: MessageBoxProps) {
  return (
    <div className={css.box} data-tone={tone} role={role} ref={ref} tabIndex={ref ? -1 : undefined}>
      <span className={css.icon}>
        <Icon name={ICONS[tone]} size={20} />
      </span>
      <div className={css.text}>
        {heading && <p className={css.heading}>{heading}</p>}
        {children}
      </div>
    </div>
  )
}
