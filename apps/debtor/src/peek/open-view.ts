/** Opens what one of the staff has asked to see: the ticket of the address is used up, and is gone from the address before. */
import type { OpenedPeek } from '@kvitt/domain/sign-in/peek.contract.ts'
import { preferredLanguage } from '@kvitt/ui/language/languages.ts'
import { isSignedIn } from '../session.ts'

/** Who looks, as whom, since when and until when (ISO); kept in the tab alone. */
export type Peek = {
  readonly staff: string
  readonly debtor: string
  readonly openedAt: string
  readonly endsAt: string
}

let problem: string | undefined

/** Why no view was opened: a sentence of the server, or empty where there is none; undefined when nothing is wrong. */
export const viewProblem = (): string | undefined => problem

/** Exchanges the ticket of the address, if it has one. A tab in which somebody is in already is not taken from them, by no link (threat csrf.sessionswap). */
export async function openView(): Promise<void> {
  problem = await exchange()
}

async function exchange(): Promise<string | undefined> {
  const ticket = /^#\/view\/(.*)$/.exec(location.hash)?.[1]
  if (ticket === undefined) return undefined
  // Whoever is in stays in: the start page would log them out.
  history.replaceState(null, '', isSignedIn() ? '#/dashboard' : '#/')
  if (isSignedIn()) return ''
  try {
    const response = await fetch('/api/public/views', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Accept-Language': preferredLanguage(document.documentElement.lang),
      },
      body: JSON.stringify({ ticket }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) return (answer as { message?: string }).message ?? ''
    const { id_token: token, staff, debtor, endsAt } = answer as OpenedPeek
    sessionStorage.setItem(
      'peek',
      JSON.stringify({ staff, debtor, openedAt: new Date().toISOString(), endsAt } satisfies Peek),
    )
    sessionStorage.setItem('id_token', token)
    sessionStorage.setItem('token_type', 'Bearer')
    history.replaceState(null, '', '#/dashboard')
    return undefined
  } catch {
    return ''
  }
}
