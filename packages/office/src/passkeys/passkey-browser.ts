/** What a browser does with passkeys. The library for it is loaded once somebody uses one. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'

/** Why there is no answer: the person did not want to or was too slow, the device has one already, or it cannot. */
export type PasskeyFailure = 'cancelled' | 'exists' | 'failed'

/** Browsers have passkeys at a name that is reached safely, and not at an address in digits. */
export function canUsePasskeys(): boolean {
  const isDigits = /^\[|^\d+(\.\d+){3}$/.test(location.hostname)
  return isSecureContext && !isDigits && typeof PublicKeyCredential === 'function'
}

function failureOf(error: unknown): PasskeyFailure {
  const { name } = error as { name?: string }
  if (name === 'InvalidStateError') return 'exists'
  return name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'failed'
}

/** Makes one, as the server has asked for it. */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON | PasskeyFailure> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON: options }).catch(failureOf)
}

/** Signs what the server has asked for. */
export async function signWithPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON | PasskeyFailure> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return startAuthentication({ optionsJSON: options }).catch(failureOf)
}

/** Ends what the device asks just now: whoever waits for it is told that it was cancelled. */
export async function stopAskingDevice(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser')
  WebAuthnAbortService.cancelCeremony()
}
