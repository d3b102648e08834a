/** A provider's manager sends the pictures of its brand: written anew, kept for debtors, refused whole. */
import { beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import { buildInstance } from '../testing/build.ts'
import { signInStaff, told, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
const people = new Map<string, SignedIn>()
beforeAll(async () => {
  server = await startTestServer()
  const at = { instanceId: server.instanceId, creditorId: null }
  for (const role of ['manager', 'support', 'finance'] as const)
    people.set(role, await signInStaff(server.product.context, { ...at, role }))
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'
const kept = async () => (await server.test.owner.query('select xmin, * from instance order by id')).rows
const read = async () =>
  (
    await server.call('GET', `/api/admin/instance-providers/${server.instanceId}`, {
      headers: { ...(people.get('manager') as SignedIn) },
    })
  ).json as { version: number; fileInformation: Record<string, string | null> }
type Sending = {
  readonly picture?: string
  readonly who?: string
  readonly version?: number
  readonly id?: string
}
async function send(
  bytes: Uint8Array | string,
  { picture = 'logo', who = 'manager', version, id }: Sending = {},
) {
  const body = new FormData()
  body.append('picture', picture)
  body.append('version', String(version ?? (await read()).version))
  body.append('file', new Blob([Buffer.from(bytes)]), '../../logo.svg')
  return server.call('PUT', `/api/admin/instance-providers/${id ?? server.instanceId}/pictures`, {
    body,
    headers: { ...(people.get(who) as SignedIn) },
  })
}

test('a picture is written anew, says what is gone, and is served to everybody under a name of its own', async () => {
  const sent = await send(
    SVG.replace('<circle', '<script>alert(1)</script><image href="https://evil.example/x"/><circle'),
  )
  expect(sent.status, sent.text).toBe(200)
  const { provider, removed } = sent.json as {
    provider: { fileInformation: { logo: string } }
    removed: object
  }
  expect(removed).toEqual({ scripts: 1, links: 0, others: 1 })
  const { logo } = provider.fileInformation
  expect(logo).toMatch(/^logo-[0-9a-f]{12}\.svg$/)
  const shown = await server.product.app.inject({
    url: `/api/storage/${logo}`,
    headers: { host: 'localhost' },
  })
  expect([shown.statusCode, shown.body]).toEqual([200, SVG])
  expect(shown.headers['x-content-type-options']).toBe('nosniff')
  expect(shown.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
  const before = await kept()
  expect((await send(SVG)).status).toBe(200)
  expect(await kept(), 'the same again changes nothing').toEqual(before)
})

test('each picture has its own place, and goes again', async () => {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0b5c6b' } })
    .png()
    .toBuffer()
  for (const picture of ['favicon', 'background', 'loginBackground']) {
    expect((await send(png, { picture })).status).toBe(200)
    expect((await read()).fileInformation[picture]).toMatch(/\.png$/)
  }
  const path = `/api/admin/instance-providers/${server.instanceId}/pictures/remove`
  const headers = { ...(people.get('manager') as SignedIn) }
  const body = { picture: 'background', version: (await read()).version }
  expect((await server.call('POST', path, { body, headers })).status).toBe(200)
  expect((await read()).fileInformation).toMatchObject({
    background: null,
    favicon: expect.stringMatching(/png$/),
  })
  expect(told(await server.call('POST', path, { body, headers }))).toEqual([
    409,
    'changed_meanwhile',
    'version',
  ])
})

test('only a manager sends one, and only for their own provider', async () => {
  const other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const before = await kept()
  for (const who of ['support', 'finance'])
    expect(told(await send(SVG, { who }))).toEqual([403, 'not_allowed'])
  expect(told(await send(SVG, { id: other.id }))).toEqual([404, 'not_found'])
  expect(await kept()).toEqual(before)
})

test('what cannot be kept says why, and changes nothing', async () => {
  const before = await kept()
  const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  for (const [bytes, why] of [
    ['<html><script>alert(1)</script></html>', /Välj SVG, PNG, JPEG eller WebP/],
    ['', /Filen är tom|Välj SVG/],
    [bomb, /40 miljoner bildpunkter/],
    [bomb.subarray(0, 50), /trasig/],
    [SVG.replace('</svg>', '<g>'), /SVG-filen kan inte användas/],
  ] as const) {
    const refused = await send(bytes)
    expect(told(refused)[0], refused.text).toBe(400)
    expect((refused.json as { message: string }).message).toMatch(why)
  }
  const tooMuch = await send(Buffer.alloc(5 * 1024 * 1024 + 1, 'x'))
  expect([400, 413]).toContain(tooMuch.status)
  expect((tooMuch.json as { code: string }).code).toBe('file_too_large')
  expect(told(await send(SVG, { picture: 'letterhead' }))).toEqual([400, 'invalid_request', 'picture'])
  expect(await kept()).toEqual(before)
})

test('of two managers at once one is told that the other was first', async () => {
  const { version } = await read()
  const other = SVG.replace('r="4"', 'r="3"')
  const both = await Promise.all(
    [other, other.replace('r="3"', 'r="2"')].map((svg) => send(svg, { version })),
  )
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})

test('the fifty-first picture of a day waits until tomorrow, and is not looked at', async () => {
  await server.test.owner.query(`update guess_budget set fails = 50 where scope = 'picture'`)
  const before = await kept()
  const refused = await send('no picture')
  expect(told(refused)).toEqual([400, 'picture_refused', 'file'])
  expect((refused.json as { message: string }).message).toMatch(/vänta till i morgon/)
  expect(await kept()).toEqual(before)
})
