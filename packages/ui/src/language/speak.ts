/**
 * The language of this page. It is set once before the first render; choosing another language loads the page
 * again (specification section 2), so no component needs to listen.
 */
import { i18n, type Messages } from '@lingui/core'
import type { Language } from './languages.ts'
import type uiMessages from './sv.json'

export function speak(language: Language, messages: Messages): void {
  // Loading adds to what is there: the words of a page may have come before.
  i18n.load(language, messages)
  i18n.activate(language)
  document.documentElement.lang = language
}

export function currentLanguage(): Language {
  return i18n.locale as Language
}

type UiMessageId = keyof typeof uiMessages

/** The text of a message that the portals share. */
export function say(id: UiMessageId, values?: Record<string, unknown>): string {
  return i18n._(id as string, values)
}
