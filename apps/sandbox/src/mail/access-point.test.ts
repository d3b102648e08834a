import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestSandbox } from '../testing/start-test-sandbox.ts'
import type { Json, TestSandbox } from '../testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.stop())

const XML = `<?xml version="1.0"?><Invoice xmlns="x"><cbc:ID>4711</cbc:ID><cac:LegalMonetaryTotal>
<cbc:PayableAmount currencyID="SEK">842.00</cbc:PayableAmount></cac:LegalMonetaryTotal></Invoice>`
const HEADERS: Record<string, string> = { 'x-token': 'sandbox', 'content-type': 'application/xml' }
const HAMMARPROV = '0007:5599990040'

function submit(id: string, to = HAMMARPROV, { body = XML, headers = HEADERS, at = sandbox } = {}) {
  const path = [
    'iso6523-actorid-upis::0007:5599990016',
    `iso6523-actorid-upis::${to}`,
    'document',
    'process',
    'SE',
  ]
    .map(encodeURIComponent)
    .join('/')
  return at.callBank('POST', `/api/outbound/submit/${path}?sbdhInstanceID=${id}`, { headers, body })
}
const statusOf = (id: string, at = sandbox) =>
  at.callBank('GET', `/api/outbound/status/${id}`, { headers: HEADERS })
const mails = async (at = sandbox): Promise<Json[]> => (await at.control('GET', 'mail')).body
const arm = (fault: string) => sandbox.control('POST', 'faults', { target: 'mail', fault })

test('an invoice reaches who is connected, and its status can be asked for by name', async () => {
  expect((await statusOf('a-1')).status).toBe(404)
  expect((await submit('a-1')).status).toBe(200)
  expect((await statusOf('a-1')).body).toMatchObject({ sbdhInstanceID: 'a-1', status: 'sent' })
  expect(await mails()).toMatchObject([
    {
      channel: 'electronic_invoice',
      to: HAMMARPROV,
      subject: 'Invoice 4711',
      text: 'Invoice 4711\n842.00 SEK',
      messageId: 'a-1',
      attachments: [{ name: '4711.xml', type: 'application/xml' }],
    },
  ])
})

test('who is not in the network gets nothing, and what is no invoice goes nowhere', async () => {
  const refused = await submit('a-2', '0007:5599990099')
  expect([refused.status, refused.body.lookupError]).toEqual([422, 'The receiver is not registered'])
  expect((await statusOf('a-2')).body.status).toBe('permanently_failed')
  expect((await submit('a-3', HAMMARPROV, { body: '<Order/>' })).status).toBe(422)
  expect((await statusOf('a-3')).body.status).toBe('rejected')
  expect((await submit('a-4', 'nobody')).status).toBe(400)
  expect((await submit('a-5', HAMMARPROV, { headers: {} })).status).toBe(401)
  expect(await mails()).toEqual([])
})

test('error-after-success hands over and says no; its status tells, also after a kill', async () => {
  await arm('error-after-success')
  expect((await submit('a-6')).status).toBe(500)
  const after = await sandbox.startAgainAfterKill()
  expect((await statusOf('a-6', after)).body.status).toBe('sent')
  expect(await mails(after)).toHaveLength(1)
  await after.stop()
})

test('error500 takes nothing', async () => {
  await arm('error500')
  expect((await submit('a-7')).status).toBe(500)
  expect((await statusOf('a-7')).status).toBe(404)
  expect(await mails()).toEqual([])
})
