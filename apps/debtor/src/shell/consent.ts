/** Things that the portal works without, which a visitor may agree to (extras/kept-consent.ts). */
import type { PageInstance } from '../instance.ts'

/** Somebody wants to choose again. */
export const ASK_AGAIN = 'kvitt:consent'

/** What there is to agree to at this provider. */
export type Choice = 'visits' | 'chat' | 'recording'

export function listChoices(instance: PageInstance | undefined): Choice[] {
  if (!instance) return []
  const choices: Choice[] = []
  if (instance.clientAnalyticsCode) choices.push('visits')
  if (instance.helpdeskChatHtml) choices.push('chat')
  if (instance.errorReporting) choices.push('recording')
  return choices
}
