import { i18n } from '@lingui/core'
import type officeMessages from '@kvitt/office/language/sv.json'
import type uiMessages from '@kvitt/ui/language/sv.json'
import type messages from './language/sv.json'

export type MessageId = keyof typeof messages | keyof typeof officeMessages | keyof typeof uiMessages

/** The text of a message in the language of the page. */
export function t(id: MessageId, values?: Record<string, unknown>): string {
  return i18n._(id, values)
}
