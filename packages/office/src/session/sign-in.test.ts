import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beginSignIn, challengeOf, claimsOf, finishSignIn, hasJustSignedIn } from './sign-in.ts'

const PORTAL = { clientId: 'client-portal', redirectUri: 'https://client.example/' }

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

const tokenWith = (claims: object): string =>
  ['{}', JSON.stringify(claims), 'x']
    .map((part) => btoa(String.fromCharCode(...new TextEncoder().encode(part))))
    .map((part) => part.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))
    .join('.')

/** A provider that answers any code with a token of this nonce. */
function answerWith(nonce: string | null): void {
  const answer = { access_token: 'A', id_token: tokenWith({ nonce }), token_type: 'Bearer' }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer)))
}

async function begun(): Promise<URLSearchParams> {
  return new URLSearchParams((await beginSignIn(PORTAL, '#/invoices')).split('?')[1])
}

test('the challenge is that of RFC 7636, appendix B', async () => {
  expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('a sign-in that was begun here is finished', async () => {
  const asked = await begun()
  expect(asked.get('code_challenge_method')).toBe('S256')
  answerWith(asked.get('nonce'))
  const arrived = await finishSignIn(PORTAL, { code: 'C', state: asked.get('state') ?? '' })
  expect(arrived).toEqual({ wanted: '#/invoices' })
  expect(sessionStorage.getItem('access_token')).toBe('A')
  expect(sessionStorage.getItem('token_type')).toBe('Bearer')
})

test('the form that puts tokens into the hash is held to the same state and nonce', async () => {
  const asked = await begun()
  const idToken = tokenWith({ nonce: asked.get('nonce') })
  const state = asked.get('state') ?? ''
  expect(await finishSignIn(PORTAL, { accessToken: 'A', idToken, state })).toEqual({ wanted: '#/invoices' })
})

test.each([
  ['another state', { code: 'C', state: 'other' }],
  ['no state', { code: 'C' }],
  ['a token of somebody else', { accessToken: 'A', idToken: tokenWith({ nonce: 'other' }), state: 'x' }],
  ['a refusal', { error: 'access_denied' }],
])('%s signs nobody in', async (_what, arrival) => {
  const asked = await begun()
  answerWith(asked.get('nonce'))
  expect(await finishSignIn(PORTAL, arrival)).toBe('failed')
  expect(sessionStorage.getItem('access_token')).toBeNull()
})

test('a token with another nonce signs nobody in', async () => {
  const asked = await begun()
  answerWith('other')
  expect(await finishSignIn(PORTAL, { code: 'C', state: asked.get('state') ?? '' })).toBe('failed')
})

test('a code that was not asked for signs nobody in, and nobody out', async () => {
  answerWith('x')
  expect(await finishSignIn(PORTAL, { code: 'C', state: 'S' })).toBe('failed')
  sessionStorage.setItem('access_token', 'mine')
  expect(await finishSignIn(PORTAL, { code: 'C', state: 'S' })).toBe('nothing')
  expect(sessionStorage.getItem('access_token')).toBe('mine')
})

test('a login link says whom to ask for and signs nobody in by itself', async () => {
  const idToken = tokenWith({ sub: '1' })
  expect(await finishSignIn(PORTAL, { idToken, userEmail: 'clerk@kvitt.example' })).toBe('nothing')
  expect(sessionStorage.getItem('access_token')).toBeNull()
  expect((await begun()).get('login_hint')).toBe('clerk@kvitt.example')
})

test('a circle is noticed', async () => {
  expect(hasJustSignedIn(Date.now())).toBe(false)
  const asked = await begun()
  answerWith(asked.get('nonce'))
  await finishSignIn(PORTAL, { code: 'C', state: asked.get('state') ?? '' })
  expect(hasJustSignedIn(Date.now())).toBe(true)
  expect(hasJustSignedIn(Date.now() + 60_000)).toBe(false)
})

test('what is no token has no claims', () => {
  expect(claimsOf('x')).toEqual({})
  expect(claimsOf(tokenWith({ name: 'Åsa' }))).toEqual({ name: 'Åsa' })
})
