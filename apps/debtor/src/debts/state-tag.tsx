import type { IconName } from '@kvitt/ui/components/icon.tsx'
import { Tag, type Tone } from '@kvitt/ui/components/tag.tsx'
import { t, type MessageId } from '../text.ts'

export type Look = readonly [Tone, IconName, MessageId]

/** A state by its look; nothing without one. */
export function StateTag({ look }: { look: Look | undefined }) {
  if (!look) return null
  const [tone, icon, text] = look
  return (
    <Tag tone={tone} icon={icon}>
      {t(text)}
    </Tag>
  )
}
