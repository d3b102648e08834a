/** The steps of a sign-in, as the provider takes them. */
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { t } from '../text.ts'

export type StepAnswer = {
  /** Who it is has been shown: the page goes on there. */
  readonly redirectTo?: string
  /** The page of the provider's own issuer. */
  readonly goTo?: string
  readonly isOffered?: boolean
  readonly isRequired?: boolean
  readonly next?: 'code' | 'passkey' | 'recovery' | 'set_up'
  /** After the password: there is a passkey for this portal. */
  readonly hasPasskey?: boolean
  readonly secret?: string
  readonly uri?: string
  readonly recoveryCodes?: readonly string[]
  readonly recoveryCodesLeft?: number
  /** Why not, and in words. */
  readonly code?: string
  readonly message?: string
}

/** @param path below the sign-in, such as `/code`; empty for its first step */
export async function sendStep(
  interaction: string,
  { method = 'POST', path = '', fields }: { method?: 'POST' | 'PUT'; path?: string; fields: object },
): Promise<StepAnswer> {
  const response = await fetch(`/oidc/interaction/${encodeURIComponent(interaction)}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'Accept-Language': currentLanguage() },
    body: JSON.stringify(fields),
  }).catch(() => undefined)
  if (response === undefined) return { code: 'unreachable', message: t('office.unreachable') }
  const answer = (await response.json().catch(() => ({}))) as StepAnswer
  if (response.ok) return answer
  return { code: answer.code ?? 'unknown', message: answer.message ?? t('office.unknown_error') }
}

/** Leads on, within this origin only: to the provider, which leads back here. */
export function leadOn(address: string): void {
  if (new URL(address, location.href).origin === location.origin) location.assign(address)
}
