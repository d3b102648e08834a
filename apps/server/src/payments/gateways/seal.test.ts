/** The seal against a bank that checks it: the sandbox. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox, type RunningSandbox } from '../../../../sandbox/src/sandbox.ts'
import { openMutualTls } from './mutual-tls.ts'
import { openSeal } from './seal.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'kvitt-seal-'))
let sandbox: RunningSandbox
const file = (name: string): string => join(sandbox.certificates, name)
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', port: 0, dataDir, productPort: 1 })
})
afterAll(async () => {
  await sandbox.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const BODY = JSON.stringify({
  instructedAmount: { currency: 'SEK', amount: '842.00' },
  creditorName: 'Fjällström Demo Energi',
  creditorAccount: { bban: '123-4567' },
})
const HEADERS = {
  'X-Request-ID': '2b2de4e0-9f37-4d50-8a3e-6e4b9d1b3a55',
  'Content-Type': 'application/json',
  'PSU-IP-Address': '127.0.0.1',
  'TPP-Redirect-URI': 'https://kvitt.example/back',
}

async function initiate(change: (headers: Record<string, string>) => void, body = BODY) {
  const seal = openSeal({ certificateFile: file('seal.pem'), keyFile: file('seal-key.pem') }, Date.now)
  const headers: Record<string, string> = { ...(await seal(HEADERS, BODY)) }
  change(headers)
  const call = openMutualTls({
    caFile: file('ca.pem'),
    certificateFile: file('client.pem'),
    keyFile: file('client-key.pem'),
  })
  const url = `https://localhost:${sandbox.apiPort}/v1/payments/domestic-credit-transfers`
  const answer = await call({ method: 'POST', url, headers, body })
  const { tppMessages } = JSON.parse(answer.body) as { tppMessages?: { code: string }[] }
  return [answer.status, tppMessages?.[0]?.code]
}

test('a sealed call is taken', async () => {
  expect(await initiate(() => {})).toEqual([201, undefined])
})

test('another body, another header or another signer is not', async () => {
  const invalid = [401, 'SIGNATURE_INVALID']
  expect(await initiate(() => {}, BODY.replace('842.00', '842.01'))).toEqual(invalid)
  expect(await initiate((h) => (h['TPP-Redirect-URI'] = 'https://evil.example/'))).toEqual(invalid)
  expect(
    await initiate((h) => (h.Signature = h.Signature?.replace(/signature="../, 'signature="AA') ?? '')),
  ).toEqual(invalid)
  const client = readFileSync(file('client.pem'), 'utf8').replace(/-----[^-]+-----|\s/g, '')
  expect(await initiate((h) => (h['TPP-Signature-Certificate'] = client))).toEqual(invalid)
  expect(await initiate((h) => delete h['TPP-Signature-Certificate'])).toEqual([401, 'SIGNATURE_MISSING'])
})

test('a certificate that was renewed is used from the next call on', async () => {
  const own = { certificateFile: join(dataDir, 'own.pem'), keyFile: join(dataDir, 'own-key.pem') }
  const put = (name: string): void => {
    copyFileSync(file(`${name}.pem`), own.certificateFile)
    copyFileSync(file(`${name}-key.pem`), own.keyFile)
  }
  put('seal')
  const seal = openSeal(own, Date.now)
  const first = (await seal(HEADERS, BODY))['TPP-Signature-Certificate']
  expect((await seal(HEADERS, BODY))['TPP-Signature-Certificate']).toBe(first)
  put('client')
  expect((await seal(HEADERS, BODY))['TPP-Signature-Certificate']).not.toBe(first)
})
