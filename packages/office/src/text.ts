import { i18n } from '@lingui/core'
import type uiMessages from '@kvitt/ui/language/sv.json'
import type messages from './language/sv.json'

type OfficeMessageId = keyof typeof messages | keyof typeof uiMessages

/** The text of a message that the portals of staff share. */
export function t(id: OfficeMessageId, values?: Record<string, unknown>): string {
  return i18n._(id, values)
}
