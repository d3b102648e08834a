import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { PaymentLine } from '@kvitt/domain/payments/journal-line.ts'
import { buildInstance } from '../src/testing/build.ts'
import { closeAfterwards } from '../src/testing/close-afterwards.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { testDatabase, type TestDatabase } from '../src/testing/test-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-journal-'))
closeAfterwards(() => rmSync(folder, { recursive: true, force: true }))
let built: TestDatabase
let instance: string
beforeAll(async () => {
  built = await testDatabase()
  ;({ id: instance } = await buildInstance(built))
})

const run = (...args: string[]): Promise<Ended> =>
  runHere('read-journal-cli', args, {
    DATABASE_URL: urlOf(built),
    DEMO: 'off',
    DATA_DIR: folder,
    PAYMENT_JOURNAL_DIR: join(folder, 'journal'),
  })

test('says what became of the lines, tells the audit log who read them, and takes no other days', {
  timeout: 120_000,
}, async () => {
  expect(await run()).toEqual({ status: 0, stderr: '', stdout: 'The journal of these days is empty.\n' })
  for (const days of ['0', '41', 'x'])
    expect(await run('--days', days)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^--days is ".*"; it must be a whole number from 1 to 40\./),
    })
  const line: PaymentLine = {
    kind: 'payment',
    instance,
    id: '0198e1c0-5a1b-7c3d-8e4f-0123456789ab',
    invoice: '0198e1c0-5a1b-7c3d-8e4f-0123456789ac',
    claim: null,
    gateway: 'SWISH',
    gatewayId: '0198E1C05A1B7C3D8E4F0123456789AB',
    option: 'pay-now',
    amountMinor: 84_200,
    currency: 'SEK',
    executionDate: '2026-11-20',
    payee: { name: 'Nordklar', account: '1234679304', scheme: 'SWISH' },
    reference: '123',
    callbackSecret: 'abcdefghijklmnopqrstuvwxyz',
    callbackIdentifier: null,
    idempotencyKey: 'key',
    requestHash: '0'.repeat(64),
    isPushed: false,
    createdAt: new Date().toISOString(),
  }
  const day = join(folder, 'journal', new Date().toISOString().slice(0, 10))
  mkdirSync(day, { recursive: true })
  const damaged = JSON.stringify({ ...line, amountMinor: -1 })
  writeFileSync(join(day, 'a.jsonl'), `${JSON.stringify(line)}\n${damaged}\n{"kind":`)
  for (let again = 0; again < 2; again++)
    expect(await run('--by', 'Eva Berg')).toEqual({
      status: 0,
      stderr: '',
      stdout:
        '      1 payments for a person: see the tasks payment_lost\n      2 lines that cannot be read\n',
    })
  const { owner } = built
  const tasks = await owner.query(`select about, details ->> 'why' as why from task`)
  expect(tasks.rows).toEqual([{ about: `payment:${line.id}`, why: 'no_debt' }])
  const deeds = await owner.query(`select actor from audit_event where kind = 'journal_read'`)
  expect(deeds.rows).toEqual([{ actor: 'person:Eva Berg' }, { actor: 'person:Eva Berg' }])
})
