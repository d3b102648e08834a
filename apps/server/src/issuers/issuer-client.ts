/**
 * Speaks with a provider's issuer: the library (`openid-client`) does the protocol, and every call of it goes out through the
 * guarded call to public addresses, with its limits of time and size.
 */
import type { Configuration, CustomFetchOptions, ServerMetadata } from 'openid-client'
import type { PublicAsker } from '../platform/counterparties/public-call.ts'

/** Why an issuer helps nobody just now. `detail` is for whoever looks after it, never for whoever signs in. */
export class IssuerFailed extends Error {
  override name = 'IssuerFailed'
  readonly why: 'unreachable' | 'address' | 'no_issuer' | 'client' | 'declined' | 'answer' | 'old'
  constructor(why: IssuerFailed['why'], detail: string) {
    super(detail)
    this.why = why
  }
}

export type IssuerClient = {
  readonly issuer: string
  readonly clientId: string
  readonly secret: string
}

type Parts = {
  readonly caller: PublicAsker
  /** Origins that may be reached without https, such as the sandbox's. */
  readonly inwardOrigins: readonly string[]
}

export const ISSUER_TIMEOUT_MS = 5_000
/** What the clocks of both may be apart. */
const SKEW_S = 60
/** How long ago somebody may have signed in there: as long as a sign-in of ours counts as fresh. */
export const MOST_AGE_S = 600

const load = () => import('openid-client')

/** Reads what the issuer says of itself. Throws IssuerFailed. */
export async function openClient(
  { caller, inwardOrigins }: Parts,
  { issuer, clientId, secret }: IssuerClient,
): Promise<Configuration> {
  const library = await load()
  if (!URL.canParse(issuer)) throw new IssuerFailed('address', 'the address is none')
  const at = new URL(issuer)
  const isInward = inwardOrigins.includes(at.origin)
  const isHttps = at.protocol === 'https:'
  if (!(isHttps || isInward) || at.search !== '' || at.hash !== '')
    throw new IssuerFailed('address', 'the address has to begin with https:// and has no ? and no #')
  const fetchGuarded = guarded(caller)
  const execute = isInward ? [library.allowInsecureRequests] : []
  const found = await library
    .discovery(at, clientId, undefined, library.None(), { [library.customFetch]: fetchGuarded, execute })
    .catch((error: unknown) => {
      throw failureOf(error, 'no_issuer')
    })
  const metadata = found.serverMetadata()
  requireUsable(metadata, issuer, { inwardOrigins })
  const ways = metadata.token_endpoint_auth_methods_supported
  const auth =
    ways === undefined || ways.includes('client_secret_basic')
      ? library.ClientSecretBasic(secret)
      : library.ClientSecretPost(secret)
  const config = new library.Configuration(metadata, clientId, { client_secret: secret }, auth)
  config[library.customFetch] = fetchGuarded
  config.timeout = ISSUER_TIMEOUT_MS / 1_000
  if (isInward) library.allowInsecureRequests(config)
  // The line alone proves nothing to us: signatures of ID tokens are looked at.
  library.enableNonRepudiationChecks(config)
  return config
}

/** It names itself as it was entered, to the letter, and leads browsers to the web alone. */
function requireUsable(
  { issuer, authorization_endpoint: page, token_endpoint: token, jwks_uri: keys }: ServerMetadata,
  wanted: string,
  { inwardOrigins }: Pick<Parts, 'inwardOrigins'>,
): void {
  if (issuer !== wanted) throw new IssuerFailed('no_issuer', `it names itself ${issuer.slice(0, 200)}`)
  if (!page || !token || !keys)
    throw new IssuerFailed('no_issuer', 'it names no authorization_endpoint, token_endpoint or jwks_uri')
  const isWeb =
    URL.canParse(page) &&
    (new URL(page).protocol === 'https:' || inwardOrigins.includes(new URL(page).origin))
  if (!isWeb) throw new IssuerFailed('no_issuer', 'its authorization_endpoint is no https address')
}

/** As `fetch`, for the library. */
function guarded(caller: PublicAsker) {
  return async (url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> => {
    if (method !== 'GET' && method !== 'POST') throw new IssuerFailed('answer', `asked by ${method}`)
    const text = body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : ''
    const answer = await caller.ask({ method, url, headers, body: text })
    const { status, failure, contentType, text: answered } = answer
    if (failure === 'address_refused') throw new IssuerFailed('address', 'it is on no public address')
    if (status === null || failure !== null) throw new IssuerFailed('unreachable', failure ?? 'no answer')
    if (status >= 500) throw new IssuerFailed('unreachable', `status ${status}`)
    if (answered === undefined) throw new IssuerFailed('answer', 'its answer broke off or is too large')
    const isEmpty = status === 204 || status === 205 || status === 304 || status < 200
    return new Response(isEmpty ? null : answered, {
      status: status < 200 ? 502 : status,
      headers: { 'content-type': contentType },
    })
  }
}

/** What the library throws has the reason inside. */
function failureOf(error: unknown, otherwise: IssuerFailed['why']): IssuerFailed {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof IssuerFailed) return one
    const { error: code } = one as { error?: unknown }
    if (code === 'invalid_client' || code === 'unauthorized_client') return new IssuerFailed('client', code)
    if (typeof code === 'string') return new IssuerFailed(otherwise, code.slice(0, 100))
  }
  const { code, message } = error as { code?: string; message?: string }
  return new IssuerFailed(otherwise, `${message ?? 'failed'}${code ? ` (${code})` : ''}`.slice(0, 300))
}

export type Asked = {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export async function newSecrets(): Promise<Omit<Asked, 'redirectUri'>> {
  const library = await load()
  return {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
  }
}

/** Where the browser is sent. The issuer is asked to have the person sign in anew. */
export async function addressOf(
  config: Configuration,
  asked: Asked,
  email: string | undefined,
): Promise<string> {
  const library = await load()
  const address = library.buildAuthorizationUrl(config, {
    redirect_uri: asked.redirectUri,
    scope: 'openid email profile',
    state: asked.state,
    nonce: asked.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(asked.verifier),
    code_challenge_method: 'S256',
    prompt: 'login',
    max_age: String(MOST_AGE_S),
    ...(email === undefined ? {} : { login_hint: email }),
  })
  return address.href
}

/** Who has signed in there. */
export type Proven = {
  readonly issuer: string
  readonly subject: string
  /** Undefined when the issuer does not say, or says that it has not made sure. */
  readonly email: string | undefined
  readonly signedInAtMs: number
}

/** What the address brought back. */
export type Brought = ReadonlyMap<'code' | 'state' | 'iss' | 'error', string>

/** Exchanges the code, and looks at everything that the token says. Throws IssuerFailed. */
export async function proveAt(
  config: Configuration,
  { redirectUri, state, nonce, verifier }: Asked,
  { brought, nowMs }: { readonly brought: Brought; readonly nowMs: number },
): Promise<Proven> {
  const library = await load()
  const back = new URL(redirectUri)
  for (const [name, value] of brought) back.searchParams.set(name, value)
  const { issuer } = config.serverMetadata()
  try {
    const tokens = await library.authorizationCodeGrant(config, back, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims || claims.iss !== issuer) throw new IssuerFailed('answer', 'the token is of another issuer')
    if (claims.sub.length > 255) throw new IssuerFailed('answer', 'the subject is too long')
    const { auth_time: at } = claims
    if (typeof at !== 'number') throw new IssuerFailed('answer', 'the token has no auth_time')
    const age = nowMs / 1_000 - at
    if (age > MOST_AGE_S + SKEW_S) throw new IssuerFailed('old', 'auth_time is too long ago')
    if (age < -SKEW_S) throw new IssuerFailed('answer', 'auth_time is to come')
    const told =
      claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined
        ? claims
        : await library.fetchUserInfo(config, tokens.access_token, claims.sub)
    const { email, email_verified: isVerified } = told
    return {
      issuer,
      subject: claims.sub,
      email: typeof email === 'string' && isVerified !== false ? email.trim().toLowerCase() : undefined,
      signedInAtMs: Math.min(nowMs, at * 1_000),
    }
  } catch (error) {
    const isDeclined = error instanceof library.AuthorizationResponseError
    throw failureOf(error, isDeclined ? 'declined' : 'answer')
  }
}

/** Asks for a token with a code that nobody has: who knows the client says that the code is wrong. Throws IssuerFailed. */
export async function requireClientKnown(config: Configuration, redirectUri: string): Promise<void> {
  const library = await load()
  try {
    await library.genericGrantRequest(config, 'authorization_code', {
      code: library.randomState(),
      redirect_uri: redirectUri,
      code_verifier: library.randomPKCECodeVerifier(),
    })
  } catch (error) {
    if (error instanceof library.ResponseBodyError && error.error === 'invalid_grant') return
    throw failureOf(error, 'client')
  }
  throw new IssuerFailed('answer', 'it gave a token for a code that it never made')
}
