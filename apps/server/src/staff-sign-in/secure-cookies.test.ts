import { expect, test } from 'vitest'
import { buildInstance } from '../testing/build.ts'
import { startTestServer } from '../testing/start-test-server.ts'

test('where browsers come over https, every cookie of a sign-in is Secure; on this machine it may come without', async () => {
  const server = await startTestServer()
  const { id, host } = await buildInstance(server.test, { alias: 'live-one', isDefault: false })
  await server.test.owner.query(`update instance set mode = 'live' where id = $1`, [id])
  const begin = async (to: string, origin: string) => {
    const query = new URLSearchParams({
      client_id: 'client-portal',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${origin}/client/`,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      state: 's',
      nonce: 'n',
    })
    const url = `/oidc/auth?${query.toString()}`
    const answer = await server.product.app.inject({ method: 'GET', url, headers: { host: to } })
    return { status: answer.statusCode, cookies: [answer.headers['set-cookie'] ?? []].flat() }
  }
  // What instances there are is kept for some seconds.
  await expect.poll(async () => (await begin(host, `https://${host}`)).status, { timeout: 10_000 }).toBe(303)
  const { cookies } = await begin(host, `https://${host}`)
  expect(cookies.length).toBeGreaterThan(1)
  for (const cookie of cookies) expect(cookie).toMatch(/^kvitt_oidc[^]*; secure; httponly/i)
  const here = await begin('localhost', 'http://localhost')
  expect(here.status).toBe(303)
  for (const cookie of here.cookies) expect(cookie).not.toMatch(/; secure/i)
})
