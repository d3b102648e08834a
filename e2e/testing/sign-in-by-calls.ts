/** A demo person signs in as a portal does it, call by call, with all that must stay between them and the server. */
import { createHash, randomBytes } from 'node:crypto'
import { openCookieBrowser } from '../../apps/server/src/testing/cookie-browser.ts'

type Portal = 'client' | 'admin'

export type SignedIn = {
  readonly headers: { readonly authorization: string }
  /** Password, code, verifier and tokens: whoever reads one of them in a log could use it. */
  readonly secrets: readonly string[]
}

/** After a wrong password, so that a refusal is in the log too. */
export async function signInByCalls(
  address: string,
  portal: Portal,
  { email, password, wrong }: { readonly email: string; readonly password: string; readonly wrong: string },
): Promise<SignedIn> {
  const browser = openCookieBrowser(address)
  const verifier = randomBytes(32).toString('base64url')
  const redirectUri = `${address}/${portal}/`
  const client = { client_id: `${portal}-portal`, redirect_uri: redirectUri }
  const query = new URLSearchParams({
    ...client,
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: randomBytes(8).toString('hex'),
    nonce: randomBytes(8).toString('hex'),
  })
  const follow = async (from: string): Promise<URL> =>
    new URL((await browser('GET', from)).headers.get('location') ?? '', address)
  const shown = await follow((await follow(`/oidc/auth?${query.toString()}`)).href)
  const step = `/oidc/interaction/${shown.searchParams.get('interaction')}`
  const refused = await browser('POST', step, { json: { email, password: wrong } })
  if (refused.ok) throw new Error('a wrong password opens the door')
  const pressed = await browser('POST', step, { json: { email, password } })
  const { redirectTo } = (await pressed.json()) as { redirectTo: string }
  const code = (await follow(redirectTo)).searchParams.get('code') ?? ''
  const form = { ...client, grant_type: 'authorization_code', code, code_verifier: verifier }
  const answer = await browser('POST', '/oidc/token', { form })
  const tokens = (await answer.json()) as { access_token: string; id_token: string }
  return {
    headers: { authorization: `Bearer ${tokens.access_token}` },
    secrets: [password, wrong, verifier, code, tokens.access_token, tokens.id_token],
  }
}
