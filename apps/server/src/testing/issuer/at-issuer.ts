/** A provider's own issuer, as tests need it: agreed on by two people, and a browser that goes there and comes back. */
import { createHash, randomBytes } from 'node:crypto'
import type { CookieBrowser } from '../cookie-browser.ts'
import { openOffice, type AskOffice, type SignedIn } from '../staff.ts'
import type { TestServer } from '../start-test-server.ts'

export type AgreedIssuer = {
  readonly issuer?: string
  readonly clientId?: string
  readonly secret?: string | undefined
  readonly domains?: string
  readonly isOn?: boolean
  readonly isRequired?: boolean
  readonly countsAsBoth?: boolean
}

/** As the sandbox plays it. */
export const issuerOf = ({ sandbox }: Pick<TestServer, 'sandbox'>): string =>
  `http://localhost:${sandbox.port}/issuer`

/** What is proposed, with the sandbox's client where nothing else is said. */
export const written = (server: TestServer, wishes: AgreedIssuer = {}) => ({
  issuer: issuerOf(server),
  clientId: 'kvitt-demo',
  secret: 'kvitt-demo-issuer-secret',
  domains: 'nordklar.example',
  isOn: true,
  isRequired: false,
  countsAsBoth: false,
  ...wishes,
})

/** One proposes, another agrees. */
export async function agreeOn(
  server: TestServer,
  office: AskOffice,
  wishes: AgreedIssuer = {},
): Promise<void> {
  const path = `/instance-providers/${server.instanceId}/sign-in-issuer`
  const proposed = await office('manager', `PUT ${path}`, written(server, wishes))
  if (proposed.status !== 202) throw new Error(`not proposed: ${proposed.text}`)
  const { id } = proposed.json as { id: string }
  const agreed = await office('approver', `POST /proposals/${id}/approve`, {})
  if (agreed.status !== 200) throw new Error(`not agreed: ${agreed.text}`)
}

export const openIssuerOffice = (server: TestServer): Promise<AskOffice> =>
  openOffice(server, ['manager', 'approver', 'support'])

/** The browser at the issuer's page: picks an account, and is led back to our address, which is not asked yet. */
export async function pickAccount(page: string, email: string): Promise<string> {
  const shown = await fetch(page)
  if (shown.status !== 200) throw new Error(`the issuer says ${shown.status}: ${await shown.text()}`)
  const answer = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(email === '' ? { act: 'decline' } : { other: email, act: 'sign-in' }),
  })
  return answer.headers.get('location') ?? ''
}

const verifier = randomBytes(32).toString('base64url')

type Portal = 'client' | 'admin'

/** Begins a sign-in in the portal. */
export async function beginAt(
  server: TestServer,
  by: CookieBrowser,
  portal: Portal = 'admin',
): Promise<string> {
  const query = new URLSearchParams({
    client_id: `${portal}-portal`,
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${server.origin}/${portal}/`,
    state: 's',
    nonce: 'n',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const asked = await by('GET', `/oidc/auth?${query.toString()}`)
  const shown = await by('GET', asked.headers.get('location') ?? '')
  return new URL(shown.headers.get('location') ?? '', server.origin).searchParams.get('interaction') ?? ''
}

/** The issuer's page for a sign-in that has begun, or the refusal. */
export async function goThere(
  by: CookieBrowser,
  uid: string,
  email: string,
): Promise<{ goTo?: string; code?: string }> {
  const answer = await by('POST', `/oidc/interaction/${uid}/issuer`, { json: { email } })
  return (await answer.json()) as { goTo?: string; code?: string }
}

/** Back at our callback: where the browser ends, as an address. */
export async function comeBack(by: CookieBrowser, address: string): Promise<string> {
  const called = await by('GET', address)
  const goOn = called.headers.get('location')
  if (goOn === null) return `${called.status}`
  const ended = await by('GET', goOn)
  return ended.headers.get('location') ?? `${ended.status}`
}

/** The session that a sign-in ends with: of the address that leads on in our own provider. */
export async function sessionFrom(
  server: TestServer,
  by: CookieBrowser,
  { leadsTo, portal = 'admin' }: { readonly leadsTo: string; readonly portal?: Portal },
): Promise<SignedIn> {
  const back = await by('GET', leadsTo)
  const code = new URL(back.headers.get('location') ?? '', server.origin).searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: `${portal}-portal`,
    code_verifier: verifier,
  }
  const answer = await by('POST', '/oidc/token', {
    form: { ...form, redirect_uri: `${server.origin}/${portal}/` },
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  return { authorization: `Bearer ${token}` }
}

/** The way of the newest message to somebody, without its host; the sandbox lists the newest first. */
export async function linkTo(server: TestServer, email: string): Promise<string> {
  await server.product.sendMail()
  const mail: { to: string; text: string }[] = await server.control('GET', '/control/mail')
  const text = mail.find(({ to }) => to.includes(email))?.text ?? ''
  return new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? 'http://none/').pathname
}

/** Takes an invitation up at the issuer; where the browser ends. */
export async function takeUp(
  by: CookieBrowser,
  path: string,
  email: string,
): Promise<{ at: string; text: string }> {
  const sent = await by('GET', `${path}/issuer`)
  const page = sent.headers.get('location')
  if (page === null) return { at: String(sent.status), text: await sent.text() }
  const called = await by('GET', await pickAccount(page, email))
  const ended = await by('GET', called.headers.get('location') ?? '')
  return { at: ended.headers.get('location') ?? String(ended.status), text: await ended.text() }
}
