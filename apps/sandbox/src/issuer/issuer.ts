import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { answerJson, answerSentence, isLoopbackName } from '../serve.ts'
import type { Answer, Call } from '../serve.ts'
import { renderAuthorize } from './authorize-page.ts'
import { ACCOUNTS } from './staff.ts'
import type { Account } from './staff.ts'
import { makeIdToken, openSigner, subjectOf } from './tokens.ts'
import type { Signer } from './tokens.ts'

/** The one client that it knows. */
export const CLIENT_ID = 'kvitt-demo'
export const CLIENT_SECRET = 'kvitt-demo-issuer-secret'

const PATH = '/issuer'
const CODE_MS = 60_000
const RETURN_PATH = '/oidc/issuer/callback'

/** What a code stands for, until it is used once. */
export interface Grant {
  account: Account
  redirectUri: string
  nonce: string
  challenge: string
  signedInAtMs: number
}

export interface IssuerParts {
  /** Where a browser reaches it. */
  origin: string
  faults: Pick<Faults, 'consume'>
  clock: Pick<Clock, 'now'>
  report(text: string): void
}

/**
 * An OpenID issuer of somebody's staff: discovery, keys, a page on which an account is picked, and tokens; authorisation code with
 * PKCE alone. Undefined when the path is not its own.
 */
export function openIssuer({ origin, faults, clock, report }: IssuerParts) {
  const issuer = `${origin}${PATH}`
  const signer = openSigner()

  const held: Held = { issuer, faults, clock, report, signer, codes: new Map(), tokens: new Map() }
  return (call: Call): Answer | undefined => {
    if (!call.path.startsWith(`${PATH}/`)) return undefined
    if (faults.consume('timeout')) return { status: 504, hangMs: 30_000 }
    if (faults.consume('error500')) return answerSentence(500, 'The issuer has a fault.')
    switch (`${call.method} ${call.path.slice(PATH.length)}`) {
      case 'GET /.well-known/openid-configuration':
        return answerJson(200, metadataOf(issuer))
      case 'GET /jwks':
        return answerJson(200, { keys: [signer.jwk] })
      case 'GET /authorize':
      case 'POST /authorize':
        return authorize(held, call)
      case 'POST /token':
        return token(held, call)
      case 'GET /userinfo':
        return userinfo(held, call)
      default:
        return undefined
    }
  }
}

type Held = Omit<IssuerParts, 'origin'> & {
  issuer: string
  signer: Signer
  codes: Map<string, Grant & { untilMs: number }>
  tokens: Map<string, Account & { untilMs: number }>
}

function forgetOld({ codes, tokens, clock }: Held): void {
  for (const kept of [codes, tokens])
    for (const [name, { untilMs }] of kept) if (untilMs <= clock.now()) kept.delete(name)
}

/** Back with a word of the protocol, and by whom it is sent (RFC 9207). */
function goBack(
  { faults, issuer }: Held,
  back: URL,
  [name, value]: readonly ['code' | 'error', string],
): Answer {
  back.searchParams.set(name, value)
  back.searchParams.set('iss', faults.consume('other-sender') ? 'https://other.example' : issuer)
  return { status: 303, headers: { location: back.href, 'cache-control': 'no-store' } }
}

/** Shows who may sign in, or sends whoever has picked an account back. */
function authorize(held: Held, { method, query, body }: Call): Answer {
  const { clock, codes, report } = held
  const redirectUri = query.get('redirect_uri') ?? ''
  if (query.get('client_id') !== CLIENT_ID || !isReturn(redirectUri))
    return answerSentence(400, 'The client or its redirect_uri is not known here.')
  const back = new URL(redirectUri)
  back.searchParams.set('state', query.get('state') ?? '')
  const isAsked =
    query.get('response_type') === 'code' &&
    query.get('code_challenge_method') === 'S256' &&
    (query.get('scope') ?? '').split(' ').includes('openid')
  if (!isAsked) return goBack(held, back, ['error', 'invalid_request'])
  if (method !== 'POST') return renderAuthorize(query.get('login_hint') ?? '', back.origin)
  const sent = new URLSearchParams(body)
  if (sent.get('act') === 'decline') return goBack(held, back, ['error', 'access_denied'])
  // What stands in the field from the start is not typed.
  const other = sent.get('other') ?? ''
  const isTyped = other !== '' && other !== query.get('login_hint')
  const email = ((isTyped ? other : sent.get('email')) || other).trim().toLowerCase()
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) return renderAuthorize('', back.origin)
  const account = ACCOUNTS.find((one) => one.email === email) ?? {
    email,
    name: email.split('@')[0] ?? email,
  }
  const code = randomBytes(24).toString('base64url')
  forgetOld(held)
  codes.set(code, {
    account,
    redirectUri,
    nonce: query.get('nonce') ?? '',
    challenge: query.get('code_challenge') ?? '',
    signedInAtMs: clock.now(),
    untilMs: clock.now() + CODE_MS,
  })
  report(`Issuer: ${email} has signed in`)
  return goBack(held, back, ['code', code])
}

function token({ issuer, faults, clock, signer, codes, tokens }: Held, { headers, body }: Call): Answer {
  const sent = new URLSearchParams(body)
  if (!isClient(headers.authorization)) return answerJson(401, { error: 'invalid_client' })
  const code = sent.get('code') ?? ''
  const grant = codes.get(code)
  codes.delete(code)
  const verified = createHash('sha256')
    .update(sent.get('code_verifier') ?? '')
    .digest('base64url')
  const isRight =
    grant !== undefined &&
    grant.untilMs > clock.now() &&
    sent.get('grant_type') === 'authorization_code' &&
    sent.get('redirect_uri') === grant.redirectUri &&
    verified === grant.challenge
  if (!isRight) return answerJson(400, { error: 'invalid_grant' })
  const accessToken = randomBytes(24).toString('base64url')
  tokens.set(accessToken, { ...grant.account, untilMs: clock.now() + CODE_MS })
  return answerJson(200, {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: CODE_MS / 1_000,
    id_token: makeIdToken(signer, faults, { issuer, clientId: CLIENT_ID, grant, nowMs: clock.now() }),
  })
}

function userinfo({ clock, tokens }: Held, { headers }: Call): Answer {
  const account = tokens.get(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '')
  if (!account || account.untilMs <= clock.now()) return answerJson(401, { error: 'invalid_token' })
  return answerJson(200, { sub: subjectOf(account.email), email: account.email, name: account.name })
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

/** A product on this machine: whatever its port. */
function isReturn(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hostname, pathname, search } = new URL(address)
  return isLoopbackName(hostname) && pathname === RETURN_PATH && search === ''
}

function isClient(authorization: string | undefined): boolean {
  const [kind, encoded = ''] = (authorization ?? '').split(' ')
  const right = createHash('sha256').update(`${CLIENT_ID}:${CLIENT_SECRET}`).digest()
  const sent = Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent).join(':')
  return kind?.toLowerCase() === 'basic' && timingSafeEqual(right, createHash('sha256').update(sent).digest())
}
