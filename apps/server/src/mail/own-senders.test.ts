/** In whose name letters and bills come to where a provider has a sender of its own. */
import { beforeAll, expect, test } from 'vitest'
import { readSentMail } from '../testing/debts/letters.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { openAccessPoint } from './access-point.ts'
import { openDigitalMailbox } from './digital-mailbox.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const connect = (way: 'digital_mailbox' | 'electronic_invoice', address: string) =>
  server.control('POST', '/control/recipients', { way, address, connected: true })
const sendersTo = async (to: string): Promise<string[]> =>
  (await readSentMail(server)).filter((mail) => mail.to === to).map(({ from }) => from)

test('a letter to a digital mailbox: its own tenant key, else that of the installation', async () => {
  const { config, clock } = server.product.context
  const { digitalMailbox } = config.mail
  if (!digitalMailbox) throw new Error('the sandbox has mailboxes')
  const send = openDigitalMailbox({ ...digitalMailbox, tenants: new Map([['fjell-klar', '0f0f']]) }, clock)
  await connect('digital_mailbox', '199007292387')
  for (const provider of ['Fjell-Klar', 'nordklar']) {
    const who = { country: 'SE', kind: 'PERSON', number: '900729-2387' } as const
    await send({ id: provider, provider, ...who, subject: 'Inkassokrav', pdf: Buffer.from('%PDF-') })
  }
  expect(await sendersTo('199007292387')).toEqual([digitalMailbox.tenant, '0f0f'])
})

test('an electronic invoice: its own address, else that of the installation', async () => {
  const { config, clock } = server.product.context
  const { accessPoint } = config.mail
  if (!accessPoint) throw new Error('the sandbox has an access point')
  const to = '0007:5599990099'
  await connect('electronic_invoice', to)
  const send = openAccessPoint(
    { ...accessPoint, senders: new Map([['fjell-klar', '0192:999990029']]) },
    clock,
  )
  const write = async () => Buffer.from('<Invoice><cbc:ID>1</cbc:ID></Invoice>')
  for (const provider of ['Fjell-Klar', 'nordklar'])
    await send({ id: `bill ${provider}`, provider, to, write })
  expect(await sendersTo(to)).toEqual([accessPoint.sender, '0192:999990029'])
})
