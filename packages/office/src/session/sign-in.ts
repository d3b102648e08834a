/**
 * Signs staff in with our own OpenID provider: authorisation code with PKCE. State, nonce and verifier of a sign-in that has
 * begun stay in this tab, and a code or token that comes without them signs nobody in (D-14).
 */
import type { Arrival } from './take-arrival.ts'
import { isSignedIn, keepTokens } from './tokens.ts'

const BEGUN = 'sign_in'
const DONE = 'signed_in_at'
const HINT = 'user_email'
/** A session that ends sooner than this would lead round in a circle. */
const CIRCLE_MS = 10_000

export type Provider = {
  /** `client-portal` or `admin-portal`. */
  readonly clientId: string
  /** Where the portal stands: its address without query and hash. */
  readonly redirectUri: string
}

type Begun = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The hash that was asked for before signing in. */
  readonly wanted: string
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const chance = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** The challenge that belongs to a verifier (RFC 7636, S256). */
export async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

function readBegun(): Begun | undefined {
  const text = sessionStorage.getItem(BEGUN)
  return text === null ? undefined : (JSON.parse(text) as Begun)
}

/** Has a sign-in ended only now? To begin another by itself would lead round in a circle. */
export function hasJustSignedIn(now: number): boolean {
  return now - Number(sessionStorage.getItem(DONE)) < CIRCLE_MS
}

/** The address of the provider that signs in; keeps what the answer will be compared with. */
export async function beginSignIn(provider: Provider, wanted: string): Promise<string> {
  const begun: Begun = { state: chance(), nonce: chance(), verifier: chance(), wanted }
  sessionStorage.setItem(BEGUN, JSON.stringify(begun))
  const hint = sessionStorage.getItem(HINT)
  const asked = new URLSearchParams({
    client_id: provider.clientId,
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: provider.redirectUri,
    code_challenge: await challengeOf(begun.verifier),
    code_challenge_method: 'S256',
    state: begun.state,
    nonce: begun.nonce,
    ...(hint === null ? {} : { login_hint: hint }),
  })
  return `/oidc/auth?${asked}`
}

/** What a token says of itself. Its signature is the server's to check, at every call. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const [, body = ''] = token.split('.')
    const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
      c.charCodeAt(0),
    )
    return JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}

type Answer = {
  readonly access_token?: string
  readonly id_token?: string
  readonly token_type?: string
}

async function exchange(provider: Provider, code: string, { verifier }: Begun): Promise<Answer> {
  const response = await fetch('/oidc/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: provider.redirectUri,
      client_id: provider.clientId,
      code_verifier: verifier,
    }),
  })
  return response.ok ? ((await response.json()) as Answer) : {}
}

/** Where the page goes after an arrival: on to the hash that was wanted; `failed` when what came proves nothing. */
export type Arrived = { readonly wanted: string } | 'failed' | 'nothing'

/** Takes what a sign-in has brought. What was not begun in this tab is not taken. */
export async function finishSignIn(provider: Provider, arrival: Arrival): Promise<Arrived> {
  const { code, state, error, accessToken, idToken, userEmail } = arrival
  if (userEmail !== undefined) sessionStorage.setItem(HINT, userEmail)
  if (code === undefined && accessToken === undefined && error === undefined) return 'nothing'
  const begun = readBegun()
  sessionStorage.removeItem(BEGUN)
  if (begun === undefined || state !== begun.state || error !== undefined) {
    return isSignedIn() ? 'nothing' : 'failed'
  }
  const answer: Answer =
    code === undefined
      ? { ...(accessToken && { access_token: accessToken }), ...(idToken && { id_token: idToken }) }
      : await exchange(provider, code, begun)
  const { access_token: token, id_token: proof = '', token_type: tokenType = 'Bearer' } = answer
  if (token === undefined || claimsOf(proof)['nonce'] !== begun.nonce) return 'failed'
  keepTokens({ accessToken: token, idToken: proof, tokenType })
  sessionStorage.setItem(DONE, String(Date.now()))
  return { wanted: begun.wanted }
}
