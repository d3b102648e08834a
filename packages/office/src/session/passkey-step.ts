/** A passkey as a step of a sign-in: the provider asks, the device signs, the provider looks at it. */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { signWithPasskey } from '../passkeys/passkey-browser.ts'
import { sendStep, type StepAnswer } from './send-step.ts'

/**
 * Where the page goes on, or why not.
 * @param words what is said of a device that did not sign; the caller's, who has them already when this file is fetched
 * @param isStillWanted asked before the device is: the person may have gone another way meanwhile
 */
export async function signInByPasskey(
  interaction: string,
  words: { readonly cancelled: string; readonly failed: string },
  isStillWanted?: () => boolean,
): Promise<StepAnswer> {
  const asked = await sendStep(interaction, { path: '/passkey-options', fields: {} })
  if (asked.code !== undefined) return asked
  // Nobody is told: the other way is under way.
  if (isStillWanted?.() === false) return { code: 'cancelled' }
  const signed = await signWithPasskey(asked as unknown as PublicKeyCredentialRequestOptionsJSON)
  if (typeof signed === 'string')
    return { code: signed, message: signed === 'cancelled' ? words.cancelled : words.failed }
  return sendStep(interaction, { path: '/passkey', fields: signed })
}
