import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ensureCertificates } from './certificates.ts'
import { readConfig, StartRefusal } from './config.ts'
import { startSandbox } from './sandbox.ts'
import { startTestSandbox } from './testing/start-test-sandbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-sandbox-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('after a kill every payment stands where it was answered to stand', async () => {
  const before = await startTestSandbox()
  const [unsigned, signed, later, held, declined] = [
    await before.createPayment(),
    await before.createPayment(),
    await before.createPayment({ requestedExecutionDate: '2026-11-28' }),
    await before.createPayment(),
    await before.createPayment(),
  ]
  await before.control('POST', `orders/${signed.paymentId}/approve`)
  await before.control('POST', `orders/${later.paymentId}/approve`)
  await before.control('POST', `orders/${held.paymentId}/approve`, { hold: true })
  await before.control('POST', `orders/${declined.paymentId}/decline`)
  await before.control('POST', 'faults', { target: 'bank', fault: 'expire', times: 2 })
  appendFileSync(join(before.dataDir, 'sandbox/bank.jsonl'), '{"type":"change","paymentId":"cut sho')

  const after = await before.startAgainAfterKill()
  const statuses = await Promise.all(
    [unsigned, signed, later, held, declined].map((payment) => after.statusOf(payment.paymentId)),
  )
  expect(statuses).toEqual(['RCVD', 'ACSP', 'ACCP', 'ACCP', 'RJCT'])
  expect((await after.control('GET', 'faults')).body).toEqual({
    bank: { expire: 2 },
    mobile: {},
    eid: {},
    mail: {},
    issuer: {},
  })
  await after.clock.advance(3_600)
  expect(await after.statusOf(signed.paymentId)).toBe('ACSC')
  expect(await after.statusOf(held.paymentId)).toBe('ACCP')

  const afterThat = await after.startAgainAfterKill()
  expect(await afterThat.statusOf(signed.paymentId)).toBe('ACSC')
  await Promise.all([before.stop(), after.stop(), afterThat.stop()])
})

test('a journal damaged in the middle is refused with its place', async () => {
  const before = await startTestSandbox()
  await before.createPayment()
  const path = join(before.dataDir, 'sandbox/bank.jsonl')
  writeFileSync(path, `nonsense\n${readFileSync(path, 'utf8')}`)
  await expect(before.startAgainAfterKill()).rejects.toThrow(/damaged at line 1/)
  await before.stop()
})

test('certificates are kept, and made again when broken or near their end', async () => {
  const place = join(folder, 'certificates')
  const nowMs = Date.parse('2026-11-20T09:00:00Z')
  const first = await ensureCertificates(place, nowMs)
  expect(await ensureCertificates(place, nowMs)).toEqual(first)
  expect(statSync(join(place, 'client-key.pem')).mode & 0o777).toBe(0o600)
  expect(new X509Certificate(first['server.pem']).subjectAltName).toBe(
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
  )
  writeFileSync(join(place, 'client.pem'), first['server.pem'])
  const second = await ensureCertificates(place, nowMs)
  expect(second['ca.pem']).not.toBe(first['ca.pem'])
  rmSync(join(place, 'ca.pem'))
  const third = await ensureCertificates(place, nowMs)
  expect(third['ca.pem']).not.toBe(second['ca.pem'])
  const tenYears = 3_650 * 86_400_000
  expect(await ensureCertificates(place, nowMs + tenYears)).not.toEqual(third)
})

test.each([
  [{ SANDBOX_PORT: 'eighty' }, /^SANDBOX_PORT must be/],
  [{ SANDBOX_PORT: '65534' }, /^SANDBOX_PORT must leave/],
  [{ PORT: '0' }, /^PORT must be/],
])('the setting %j is refused with a sentence', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(StartRefusal)
  expect(() => readConfig(env)).toThrow(sentence)
})

test('a data folder that is a file is refused with a sentence', async () => {
  const dataDir = join(folder, 'file')
  writeFileSync(dataDir, '')
  const start = startSandbox({ port: 0, host: '127.0.0.1', dataDir, productPort: 9 })
  await expect(start).rejects.toThrow(/^The data folder .* cannot be used \((ENOTDIR|EEXIST)\); set DATA_DIR/)
})

function runMain(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, PORT: '9', DATA_DIR: join(folder, 'main'), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (part) => {
    errors += part
  })
  const ready = new Promise<unknown>((resolve) => child.once('message', resolve))
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, ready, exit, errors: () => errors }
}

/** A free port with a free one above it, below the range that systems hand out by themselves. */
async function findPortPair(): Promise<number> {
  for (let port = 20_000 + (process.pid % 5_000) * 2; port < 32_000; port += 2) {
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
  throw new Error('no two neighbouring ports are free')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

test('under a parent: says ready, refuses a taken port with exit 2, leaves on signal and on disconnect', async () => {
  const env = { SANDBOX_PORT: String(await findPortPair()) }
  const first = runMain(env)
  expect(await first.ready).toEqual({ type: 'ready', port: Number(env.SANDBOX_PORT) })
  const second = runMain(env)
  expect(await second.exit).toBe(2)
  expect(second.errors()).toBe(
    `Port ${env.SANDBOX_PORT} on 127.0.0.1 is taken; set SANDBOX_PORT to another.\n`,
  )
  first.child.kill('SIGTERM')
  expect(await first.exit).toBe(0)
  const third = runMain(env)
  await third.ready
  third.child.disconnect()
  expect(await third.exit).toBe(0)
}, 20_000)
