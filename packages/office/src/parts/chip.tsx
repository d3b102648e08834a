import { OfficeIcon, type OfficeIconName } from './office-icon.tsx'
import type { ReactNode } from 'react'
import css from './chip.module.css'

export type ChipTone = 'outline' | 'bad' | 'warn' | 'info' | 'accent' | 'ok' | 'neutral'

/** A state: an icon and a word. At most one in a row. */
export function Chip({
  tone,
  icon,
  children,
}: {
  tone: ChipTone
  icon?: OfficeIconName
  children: ReactNode
}) {
  return (
    <span className={css.chip} data-tone={tone}>
      {icon && <OfficeIcon name={icon} size={12} />}
      {children}
    </span>
  )
}
