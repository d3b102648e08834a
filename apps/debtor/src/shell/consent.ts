/** What the visitor has said about things that the portal works without: kept on this device, changed at any time. */
import type { PageInstance } from '../instance.ts'

export type Consent = 'given' | 'refused'

const KEPT = 'consent'
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

/** What was said, or undefined when nobody has asked, or has asked about fewer things than there are now. */
export function readConsent(choices: readonly Choice[]): Consent | undefined {
  const [said, about = ''] = (localStorage.getItem(KEPT) ?? '').split(':')
  if (said !== 'given' && said !== 'refused') return undefined
  return choices.every((choice) => about.split(',').includes(choice)) ? said : undefined
}

export function keepConsent(said: Consent, choices: readonly Choice[]): void {
  localStorage.setItem(KEPT, `${said}:${choices.join()}`)
}
