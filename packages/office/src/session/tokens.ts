/** The session of this tab, under the specification's names (section 7). It ends with the tab. */

const ACCESS = 'access_token'
const KEYS = [ACCESS, 'id_token', 'token_type', 'user_email']

export type Tokens = { readonly accessToken: string; readonly idToken?: string; readonly tokenType?: string }

export function isSignedIn(): boolean {
  return sessionStorage.getItem(ACCESS) !== null
}

export function keepTokens({ accessToken, idToken, tokenType = 'Bearer' }: Tokens): void {
  sessionStorage.setItem(ACCESS, accessToken)
  if (idToken !== undefined) sessionStorage.setItem('id_token', idToken)
  sessionStorage.setItem('token_type', tokenType)
}

export function dropTokens(): void {
  for (const key of KEYS) sessionStorage.removeItem(key)
}

/** The Authorization header of whoever is signed in. */
export function readAuthorization(): string | undefined {
  const token = sessionStorage.getItem(ACCESS)
  return token === null ? undefined : `${sessionStorage.getItem('token_type') ?? 'Bearer'} ${token}`
}
