import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import css from './tag.module.css'

export type Tone = 'neutral' | 'ok' | 'warn' | 'info'

/** A state in an icon and a word, never by colour alone. */
export function Tag({ tone, icon, children }: { tone: Tone; icon: IconName; children: ReactNode }) {
  return (
    <span className={css.tag} data-tone={tone}>
      <Icon name={icon} size={16} />
      {children}
    </span>
  )
}
