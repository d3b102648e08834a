/** What a provider's own people could put into its brand: style in a colour, a script as an address, a script in a picture. */
import { beforeAll, expect, test } from 'vitest'
import { DEFINED_PICTURES, HOSTILE_PICTURES, MARK } from '../testing/files/hostile-pictures.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { changeProvider, cleanPicture, ProviderRefused, type ProviderWishes } from './provider-settings.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const change = (wishes: Partial<ProviderWishes>) =>
  changeProvider(server.product.context, 'nordklar', { colours: {}, pictures: {}, by: 'test', ...wishes })
const kept = async () => (await server.test.owner.query('select * from instance')).rows

const COLOURS = [
  'red;}*{background:url(//e)}', '#0b5c6b;}', '#0b5c6b}*{display:none}', '#0b5c6b/*', 'url(//e)', 'var(--x)', 'expression(alert(1))', '#0b5c6b"', '#0b5c6b\n}',
  '#0b5c6b\u0000', 'rgb(1,2,3)', 'color-mix(in srgb, red, url(//e))', '#12345', '#1234567', '#ＡＢＣＤＥＦ', '</style><script>', 'inherit', '',
] // biome-ignore format: a list of colours

test('css.inject: what is no colour is refused, whichever colour it is for', async () => {
  const before = await kept()
  for (const colour of COLOURS) {
    for (const of of ['primary', 'secondary', 'button']) {
      await expect(change({ colours: { [of]: colour } }), colour).rejects.toThrow(ProviderRefused)
    }
  }
  expect(await kept()).toEqual(before)
})

const ADDRESSES = [
  'javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', '\u0001javascript:alert(1)', 'data:text/html,<script>1</script>',
  'vbscript:x', 'file:///etc/passwd', 'ftp://nordklar.example', 'http://nordklar.example', '//nordklar.example', '/nordklar', 'nordklar.example', 'blob:https://a/b',
  'https://nordklar.example@evil.example', 'https://nordklar@evil.example', 'https://:word@evil.example', 'https://', 'https://[', 'https:// x',
  `https://nordklar.example/${'x'.repeat(200)}`, 'about:blank', 'mailto:a@b.example', 'ws://nordklar.example', '',
] // biome-ignore format: a list of addresses

test('xss.urlfields: a homepage is an https address, without anybody’s name in it', async () => {
  const before = await kept()
  for (const homepage of ADDRESSES)
    await expect(change({ homepage }), homepage).rejects.toThrow(ProviderRefused)
  expect(await kept()).toEqual(before)
  expect((await change({ homepage: 'https://nordklar.example/"><script>' })).homepage).toBe(
    'https://nordklar.example/%22%3E%3Cscript%3E',
  )
})

test('xss.urlfields: a code for counting and the hosts of a chat are names, not addresses or scripts', async () => {
  const before = await kept()
  for (const analytics of [
    'javascript:alert(1)',
    '//evil.example/x.js',
    'G-1"><script>',
    "G-1';alert(1)//",
    'G-1&x=y',
    'https://evil.example/G-1',
    'G-',
  ]) {
    await expect(change({ analytics }), analytics).rejects.toThrow(ProviderRefused)
  }
  for (const host of [
    '*',
    "'unsafe-inline'",
    'https://chat.example',
    'chat.example/x',
    'chat.example; script-src *',
    'chat.example\r\nX: 1',
    '//chat.example',
    'chat',
    'data:',
  ]) {
    await expect(change({ chatHosts: [host] }), host).rejects.toThrow(ProviderRefused)
  }
  expect(await kept()).toEqual(before)
})

test('upload.svg: a drawing is served without what could run, without any right, and never as a page', async () => {
  expect(HOSTILE_PICTURES).toHaveLength(25)
  const { app } = server.product
  // Two that say nothing of a document type but what everybody's says are drawings like the others.
  const drawings = [...HOSTILE_PICTURES, ...DEFINED_PICTURES.filter((one) => !one.includes('<!ENTITY'))]
  for (const [n, drawing] of drawings.entries()) {
    const clean = await cleanPicture('logo', Buffer.from(drawing))
    const made = await change({ pictures: { logo: clean } })
    const answer = await app.inject({ url: `/api/storage/${made.logo_name}`, headers: { host: 'localhost' } })
    expect([n, answer.statusCode, answer.headers['content-type']]).toEqual([n, 200, 'image/svg+xml'])
    expect(answer.body, drawing).not.toMatch(new RegExp(`${MARK}|script|<!|<\\?`, 'i'))
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['content-security-policy']).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    )
  }
  for (const drawing of DEFINED_PICTURES.filter((one) => one.includes('<!ENTITY')))
    await expect(cleanPicture('logo', Buffer.from(drawing))).rejects.toThrow(/is no SVG/)
})

test('upload.svg: an old drawing, kept before drawings were written anew, is served without any right too', async () => {
  const { app } = server.product
  const [old = ''] = HOSTILE_PICTURES
  await server.test.owner.query(
    `insert into file (instance_id, id, public_name, mime_type, content) values ($1, gen_random_uuid(), 'old.svg', 'image/svg+xml', $2)`,
    [server.instanceId, Buffer.from(old)],
  )
  const answer = await app.inject({ url: '/api/storage/old.svg', headers: { host: 'localhost' } })
  expect([answer.statusCode, answer.body]).toEqual([200, old])
  expect(answer.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
})
