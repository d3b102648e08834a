/** Whoever holds a letter sees how its sender is reached, to compare it with the homepage. */
import { beforeAll, expect, test } from 'vitest'
import { Page } from '../platform/files/pdf-page.ts'
import { buildInstance, buildInvoice, testClock } from '../testing/build.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { writeSender } from './letters.ts'

let server: TestServer
const clock = testClock()

beforeAll(async () => {
  server = await startTestServer({ clock })
})

async function copyAt(host: string, { reference, zip }: { reference: string; zip: string }): Promise<string> {
  const get = (url: string) => server.product.app.inject({ method: 'GET', url, headers: { host } })
  const listed = await get(`/api/public/invoices/${reference}/${zip}/documents`)
  const [copy] = listed.json<{ fileName: string }[]>()
  return wordsOf((await get(`/api/storage/${copy?.fileName}`)).rawPayload)
}

test('the copy of an invoice names phone, e-mail and the address of the provider whose letter it is', async () => {
  const { id, host } = await buildInstance(server.test, { alias: 'letters', isDefault: false })
  await server.test.owner.query(
    `update instance set phone = '031-390 06 10', email = 'hjalp@alvklar.example',
       postal_address = 'Provgatan 4, 411 05 Göteborg' where id = $1`,
    [id],
  )
  const words = await copyAt(host, await buildInvoice(server.test, id, clock))
  for (const line of ['031-390 06 10', 'hjalp@alvklar.example', 'Provgatan 4, 411 05 Göteborg', host])
    expect(words).toContain(`\n${line}\n`)
  expect(words.replaceAll('\n', ' ')).toContain(`Skriv själv adressen ${host}/home i webbläsaren.`)
})

test('a letter of the default provider leads to the address of the installation, as its messages do', async () => {
  const { rows } = await server.test.owner.query<{ url_alias: string; url_domain: string }>(
    'select url_alias, url_domain from instance where is_default',
  )
  const host = rows.map((row) => `${row.url_alias}.${row.url_domain}`)[0] ?? ''
  const words = await copyAt(host, await buildInvoice(server.test, server.instanceId, clock))
  expect(words).toContain(`\n${new URL(server.product.context.config.publicUrl).host}\n`)
})

test('a name of many lines, and an address longer than its column, push what follows down', async () => {
  const after = async (name: string, email: string): Promise<number> => {
    const instance = {
      name,
      email,
      postal_address: null,
      identification_number: '559999-0073',
      phone: '031-390 06 10',
    } as never
    const page = await Page.open('', { language: 'sv', instance })
    writeSender(page, { instance, portalUrl: 'https://kort.example/' })
    await page.finish()
    return page.y
  }
  const short = await after('Kort AB', 'a@kort.example')
  expect(await after('Mycket långt namn på ett bolag '.repeat(8), 'a@kort.example')).toBeGreaterThan(
    short + 30,
  )
  expect(await after('Kort AB', `${'lang'.repeat(20)}@kort.example`)).toBeGreaterThan(short + 9)
})
