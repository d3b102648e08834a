/** What the visitor has said about things that the portal works without: kept on this device, changed at any time. */
import type { Choice } from '../shell/consent.ts'

export type Consent = 'given' | 'refused'

const KEPT = 'consent'

/** What was said, or undefined when nobody has asked, or has asked about fewer things than there are now. */
export function readConsent(choices: readonly Choice[]): Consent | undefined {
  const [said, about = ''] = (localStorage.getItem(KEPT) ?? '').split(':')
  if (said !== 'given' && said !== 'refused') return undefined
  return choices.every((choice) => about.split(',').includes(choice)) ? said : undefined
}

export function keepConsent(said: Consent, choices: readonly Choice[]): void {
  localStorage.setItem(KEPT, `${said}:${choices.join()}`)
}
