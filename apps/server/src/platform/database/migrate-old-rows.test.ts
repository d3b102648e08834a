/** The migrations that change rows, on an installation that has some. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, inject, test } from 'vitest'
import { debtorIdentity } from '@kvitt/domain/people/party-identity.ts'
import { closeAfterwards } from '../../testing/close-afterwards.ts'
import { MIGRATIONS } from '../../testing/global-setup.ts'
import { brokenInvariants } from '../../testing/test-database.ts'
import { migrate } from './migrate.ts'

const OLD = '0036'

let database: pg.Pool
let before: Balances

type Balances = readonly Record<string, unknown>[]
const readBalances = async (): Promise<Balances> =>
  rows(`select 'invoice' as what, id, status, principal_minor, costs_minor, interest_minor from invoice
    union all select 'claim', id, status, principal_minor, costs_minor, interest_minor from claim
    union all select 'account', id, kind, balance_minor, 0, 0 from ledger_account
    union all select 'plan', id, status, amount_minor, 0, 0 from part_payment order by 1, 2`)

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await database.query(sql)).rows as Record<string, unknown>[]
}

/** A database with the migrations up to `last`, and how the others are run on it. */
async function openOld(last: string) {
  const { host, port, ownerUser } = inject('postgres')
  const name = `old_rows_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ host, port, user: ownerUser, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-old-rows-'))
  const address = { host, port, user: ownerUser, database: name }
  const pool = new pg.Pool({ ...address, max: 1, options: '-c TimeZone=UTC' })
  closeAfterwards(async () => {
    await pool.end()
    await admin.query(`drop database ${name}`)
    await admin.end()
    rmSync(folder, { recursive: true, force: true })
  })
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(MIGRATIONS)) {
    if (file.slice(0, 4) <= last) cpSync(join(MIGRATIONS, file), join(folder, file))
  }
  await migrate(address, folder)
  return { pool, upgrade: () => migrate(address, MIGRATIONS) }
}

beforeAll(async () => {
  const { pool, upgrade } = await openOld(OLD)
  database = pool
  await database.query(readFileSync(new URL(`../../testing/rows-of-${OLD}.sql`, import.meta.url), 'utf8'))
  before = await readBalances()
  expect(before.length).toBeGreaterThan(50)
  expect(await upgrade()).toBeGreaterThan(6)
})

test('T-MIG: every invariant holds, and nobody owes or has anything else than before', async () => {
  expect(await brokenInvariants(database)).toEqual({})
  expect(await readBalances()).toEqual(before)
})

test('a debtor without a number is known to its creditor, by the street', async () => {
  const identities = Object.fromEntries(
    (await rows('select name, identity from debtor')).map(({ name, identity }) => [name, identity]),
  )
  const addressOf = (name: string, address: string, address2: string | null = null) => {
    const party = { name, country: 'SE', identificationNumber: null, address, address2, zip: '11122' }
    const printed = { creditor: 'SE:5599990024', customerNumber: null, document: '' }
    const identity = debtorIdentity(party, printed)
    return `address:${createHash('sha256').update(identity).digest('hex')}`
  }
  expect(identities).toEqual({
    alva: addressOf('Alva Provlund', 'Exempelgatan 4', 'C/O Bo'),
    // Of two creditors, without a street, without an invoice, with a number: as they were.
    bo: 'SE:name:11122:bo provlund',
    cia: 'SE:name:11122:cia provlund',
    dan: 'SE:name:11122:dan provlund',
    eva: 'SE:199007292387',
    firma: addressOf('Firma AB', 'Exempelgatan 9'),
  })
})

test('what was paid late and closed an invoice waits to be billed, by its days', async () => {
  const late = await rows(
    `select i.invoice_number as invoice, l.principal_minor::int as minor, l.from_day::text as "from", l.to_day::text as "to",
       l.status, l.is_back, l.step_id, l.bill_id from late_days l join invoice i on i.id = l.invoice_id order by 1`,
  )
  const days = { minor: 84_200, to: '2026-03-20', is_back: false, step_id: null, bill_id: null }
  expect(late).toEqual([
    { invoice: 'late', from: '2026-03-05', status: 'WAITING', ...days },
    { invoice: 'late and charged', from: '2026-03-12', status: 'WAITING', ...days },
    { invoice: 'late and credited', from: '2026-03-05', status: 'DROPPED', ...days },
    { invoice: 'late by transfer', from: '2026-03-05', status: 'WAITING', ...days },
  ])
})

test('a line that takes back has a name of its own in a camt file, and nowhere else', async () => {
  const lines = await rows(
    `select deposit_key as deposit, kind from bank_line where kind = 'DEDUCTION' or deposit_key like '%:reversal' order by number`,
  )
  expect(lines).toEqual([
    { deposit: 'camt:a:reversal', kind: 'DEDUCTION' },
    { deposit: 'camt:c:reversal', kind: 'DEDUCTION' },
    { deposit: 'bgmax:1', kind: 'DEDUCTION' },
  ])
})

test('an application that was planned by itself is a question on the same day', async () => {
  const steps = await rows(
    `select type, number::int, planned_date::text as day, status from collection_step where claim_id is not null order by planned_date`,
  )
  expect(steps).toEqual([
    { type: 'COLLECTION_CLAIM', number: 1, day: '2026-03-26', status: 'PERFORMED' },
    { type: 'SCHEDULE_END', number: 1, day: '2026-04-20', status: 'PLANNED' },
  ])
})

test('T-MIG: a row that was said to be not executed before there were rounds has its first', async () => {
  const { pool, upgrade } = await openOld('0377')
  const [instance, payout, proposal] = [randomUUID(), randomUUID(), randomUUID()]
  // Without what they refer to, which is looked at when the reference is made anew: only of the row and its proposal.
  await pool.query('set session_replication_role = replica')
  await pool.query(
    `insert into proposal (instance_id, id, kind, about, before, after, proposed_by, membership_id, status, decided_by, decided_at)
     values ($1, $2, 'file_not_executed', 'payout-file:x', '{}', '{}', gen_random_uuid(), gen_random_uuid(), 'APPROVED', gen_random_uuid(), now())`,
    [instance, proposal],
  )
  await pool.query(
    `insert into payout (instance_id, id, file_id, settlement_id, account_id, amount_minor, status, not_executed_by, is_told_after)
     values ($1, $2, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 100, 'ACCEPTED', $3, true)`,
    [instance, payout, proposal],
  )
  await pool.query('set session_replication_role = origin')
  await upgrade()
  const { rows: rounds } = await pool.query('select payout_id, round, proposal_id from payout_round')
  expect(rounds).toEqual([{ payout_id: payout, round: 1, proposal_id: proposal }])
  expect((await pool.query('select round from payout')).rows).toEqual([{ round: 2 }])
})
