/** A real installation of which nothing is set yet: it starts, says what is missing, and offers what there is. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { runBrowser } from '../testing/browser.ts'
import { findPorts } from '../testing/ports.ts'
import { startProgram } from '../testing/program.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kvitt-off-'))
chmodSync(folder, 0o711)
const port = await findPorts()
const settings = {
  DEMO: 'off',
  DATA_DIR: join(folder, 'data'),
  PORT: String(port),
  SANDBOX_PORT: String(port + 1),
}
const server = await startProgram('server', settings)
const browser = await runBrowser()
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function command(name: string, ...args: string[]): string {
  const { PATH, HOME } = process.env
  const run = spawnSync(process.execPath, [here(`../../apps/server/dist/${name}-cli.js`), ...args], {
    env: { PATH, HOME, ...settings },
    encoding: 'utf8',
  })
  expect([run.status, run.stderr]).toEqual([0, ''])
  return run.stdout
}

test('Without gateways and electronic ID a debtor logs in with the reference and pays by transfer', async () => {
  expect(server.output().split('\n')).toEqual(
    expect.arrayContaining([
      'Not offered, as nothing is set for it: payments through the bank (BANK_BASE_URL), Swish (SWISH_BASE_URL), BankID (BANKID_BASE_URL). Debtors can always pay by transfer.',
      'Kept unsent, as nothing is set for it: e-mail (SMTP_URL), SMS (SMS_URL), letters on paper (PRINT_QUEUE_DIR).',
    ]),
  )
  const provider = [
    '--new',
    'nordklar',
    '--domain',
    'pay.example.com',
    '--country',
    'SE',
    '--name',
    'Nordklar AB',
  ]
  const contact = [
    '--identification-number',
    '559999-0016',
    '--phone',
    '031-390 06 10',
    '--email',
    'a@nordklar.example',
  ]
  command('provider', ...provider, ...contact, '--mode', 'test', '--primary', '#0b5c6b')
  const file = here('../../apps/server/src/imports/fixtures/se-invoice.xml')
  const line = command('import', '--json', file)
  const { paymentReference, zip } = JSON.parse(line) as { paymentReference: string; zip: string }

  const page = await browser.open()
  await page.goto(`http://localhost:${port}/#/en/`)
  await page.getByLabel('Payment reference').waitFor()
  expect(await page.getByText('BankID').count()).toBe(0)
  await page.goto(`http://localhost:${port}/#/en/invoice/${paymentReference}/${zip}`)
  await page.getByRole('radio', { name: /^Bank transfer/ }).waitFor()
  expect(await page.getByRole('radio').count()).toBe(1)
  await page.getByText('9990-0227').first().waitFor()

  const asked = { paymentDate: '2026-11-20', amount: '1.00', redirectUri: `http://localhost:${port}/` }
  const answer = await fetch(
    `http://localhost:${port}/api/public/invoices/${paymentReference}/${zip}/payment-requests`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    },
  )
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 'service_provider_unavailable' })
})
