import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestSandbox } from '../testing/start-test-sandbox.ts'
import type { Json, TestSandbox } from '../testing/start-test-sandbox.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.stop())

const ID = '0190a1b2-0000-7000-8000-000000000001'
const PDF = '%PDF-1.7 a letter'
const mails = async (at = sandbox): Promise<Json[]> => (await at.control('GET', 'mail')).body
const queue = () => join(sandbox.dataDir, 'print-queue')

function put(): void {
  mkdirSync(queue(), { recursive: true })
  const ticket = { id: ID, title: 'Inkassokrav', to: ['Alva <b>Provlund', '111 22 Stockholm'] }
  writeFileSync(join(queue(), `${ID}.json`), JSON.stringify(ticket))
  writeFileSync(join(queue(), `${ID}.pdf`), PDF)
}

test('a letter is taken out of the queue, and its PDF can be opened', async () => {
  put()
  const [letter, ...more] = await mails()
  expect(more).toEqual([])
  expect(letter).toMatchObject({
    channel: 'letter',
    to: 'Alva <b>Provlund\n111 22 Stockholm',
    subject: 'Inkassokrav',
    attachments: [
      { name: `${ID}.pdf`, type: 'application/pdf', bytes: PDF.length, href: `/page/mail/${ID}/0` },
    ],
  })
  expect([existsSync(join(queue(), `${ID}.pdf`)), existsSync(join(queue(), `${ID}.json`))]).toEqual([
    false,
    false,
  ])
  const at = `http://127.0.0.1:${sandbox.port}`
  const pdf = await fetch(`${at}/page/mail/${ID}/0`)
  expect([pdf.headers.get('content-type'), await pdf.text()]).toEqual(['application/pdf', PDF])
  expect((await fetch(`${at}/page/mail/${ID}/1`)).status).toBe(404)
  const { mailbox } = (await (await fetch(`${at}/page/regions`)).json()) as { mailbox: string }
  expect(mailbox).toContain(`href="/page/mail/${ID}/0"`)
  expect(mailbox).toContain('Alva &#60;b&#62;Provlund')
})

test('a letter that was delivered before a kill is not delivered again', async () => {
  put()
  await mails()
  put()
  expect(await mails()).toHaveLength(1)
  const after = await sandbox.startAgainAfterKill()
  expect(await mails(after)).toHaveLength(1)
})

test('half a letter stays where it is', async () => {
  mkdirSync(queue())
  writeFileSync(join(queue(), `${ID}.pdf`), PDF)
  expect(await mails()).toEqual([])
  expect(existsSync(join(queue(), `${ID}.pdf`))).toBe(true)
})
