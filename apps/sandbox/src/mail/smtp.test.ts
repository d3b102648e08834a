import { createConnection } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestSandbox } from '../testing/start-test-sandbox.ts'
import type { Json, TestSandbox } from '../testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.stop())

const MAIL = { to: 'alva@example.com', subject: 'Vi har tagit emot', text: 'Hej på dig' }
const mails = async (): Promise<Json[]> => (await sandbox.control('GET', 'mail')).body
const arm = (fault: string) => sandbox.control('POST', 'faults', { target: 'mail', fault })

test('a letter is taken after STARTTLS, and shown as it was sent', async () => {
  await sandbox.sendMail(MAIL)
  expect(await mails()).toEqual([
    {
      id: expect.any(String),
      channel: 'email',
      to: MAIL.to,
      from: 'Nordklar',
      fromAddress: 'no-reply@kvitt.example',
      subject: MAIL.subject,
      text: expect.stringMatching(/^Hej på dig\s*$/),
      html: null,
      attachments: [],
      messageId: expect.stringMatching(/^<.+>$/),
      at: '2026-11-20T09:00:00.000Z',
    },
  ])
})

test('without encryption nothing is taken', async () => {
  const answers = await new Promise<string>((resolve) => {
    let heard = ''
    const socket = createConnection(sandbox.mailPort, '127.0.0.1')
    const say = ['EHLO me\r\n', 'MAIL FROM:<a@b.se>\r\n', 'QUIT\r\n']
    socket.on('data', (part) => {
      heard += String(part)
      if (/^\d{3} /m.test(String(part))) socket.write(say.shift() ?? '')
    })
    socket.on('close', () => resolve(heard))
  })
  expect(answers).toMatch(/^530 /m)
})

test('error500 takes nothing, error-after-success takes it and says no', async () => {
  await arm('error500')
  await expect(sandbox.sendMail(MAIL)).rejects.toMatchObject({ responseCode: 451 })
  expect(await mails()).toEqual([])
  await arm('error-after-success')
  await expect(sandbox.sendMail(MAIL)).rejects.toMatchObject({ responseCode: 451 })
  expect(await mails()).toHaveLength(1)
})

test('after a kill the letters are still there', async () => {
  await sandbox.sendMail(MAIL)
  const after = await sandbox.startAgainAfterKill()
  expect((await after.control('GET', 'mail')).body).toHaveLength(1)
  await after.stop()
})

describe('SMS', () => {
  const send = (
    form: Record<string, string>,
    headers: Record<string, string> = { authorization: 'Basic YTpi' },
  ) =>
    fetch(`http://127.0.0.1:${sandbox.port}/a1/sms`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form),
    })
  const SMS = { from: 'Nordklar', to: '+46701234567', message: 'Hej' }

  test('is taken and shown', async () => {
    expect(await (await send(SMS)).json()).toMatchObject({ status: 'created', to: SMS.to })
    expect(await mails()).toMatchObject([{ channel: 'sms', to: SMS.to, from: 'Nordklar', text: 'Hej' }])
  })

  test('is refused without a user, to a number that is none, and when it was told to fail', async () => {
    expect((await send(SMS, {})).status).toBe(401)
    expect((await send({ ...SMS, to: '0701234567' })).status).toBe(400)
    await arm('error500')
    expect((await send(SMS)).status).toBe(500)
    expect(await mails()).toEqual([])
    await arm('error-after-success')
    expect((await send(SMS)).status).toBe(500)
    expect(await mails()).toHaveLength(1)
  })
})
