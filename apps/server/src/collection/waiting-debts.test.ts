/** What waits with an account that is not told of, what goes on meanwhile, and how it is caught up with. */
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { countMissingFiles, isTaskOpen } from '../tasks/tasks.ts'
import { addAddress, chooseOwnAccount } from '../creditors/creditors.ts'
import { openLog } from '../platform/log.ts'
import {
  build,
  choose,
  confirm,
  costsOf,
  dayOf,
  DUE,
  FRIDAY,
  IBAN,
  instance,
  liveTo,
  missing,
  MONDAY,
  nights,
  open,
  server,
  sql,
  statement,
  take,
  TUESDAY,
  useAccountFiles,
  WEDNESDAY,
} from '../testing/files/account-files.ts'
import { buildPlanSettings, type BuiltInvoice } from '../testing/build.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDueRuns } from './daily-run.ts'

useAccountFiles(20)
beforeAll(async () => {
  await buildPlanSettings(server.test, server.instanceId)
})

const entry = ({ reference }: BuiltInvoice, amountMinor: number, day: CalendarDate) => ({
  amountMinor,
  currency: 'SEK',
  day,
  reference,
  bankId: `paid-${reference}`,
})

const stateOf = async ({ id }: BuiltInvoice) =>
  (
    await sql(
      'select status, balance_minor::int as balance, claim_id as "claimId" from invoice where id = $1',
      id,
    )
  )[0]
const remindersOf = async ({ id }: BuiltInvoice): Promise<number> =>
  (
    await sql(
      `select count(*)::int as sent from mail_outbox where invoice_id = $1 and kind = 'reminder' and status = 'SENT'`,
      id,
    )
  )[0]?.sent
const lastDayOf = async ({ id }: BuiltInvoice, type: string): Promise<string> =>
  (
    await sql(
      `select last_pay_date::text as last from collection_step where debt_id = $1 and type = $2 and status = 'PERFORMED'`,
      id,
      type,
    )
  )[0]?.last
const awaited = async (): Promise<string[]> =>
  (
    await sql(
      'select awaited_accounts as ids from collection_night where instance_id = $1 order by day desc limit 1',
      instance.id,
    )
  )[0]?.ids
const metric = async (name: string): Promise<number> => {
  const { text } = await server.call('GET', '/metrics')
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}

describe('money that a late file tells of', () => {
  test('was there in time: nothing was charged and no letter was sent', async () => {
    await open('daily_statement')
    const invoice = await build()
    const late = () => take(statement(MONDAY, TUESDAY, [entry(invoice, 100_000, MONDAY)]))
    await liveTo(addDays(FRIDAY, 1), { [WEDNESDAY]: late })
    expect(await stateOf(invoice)).toMatchObject({ status: 'CLOSED', balance: 0 })
    expect(await dayOf(invoice.id, 'REMINDER')).toBeUndefined()
    expect(await remindersOf(invoice)).toBe(0)
  })

  test('came after the limit: what was charged meanwhile is taken back', async () => {
    await open('daily_statement')
    const invoice = await build()
    await liveTo(FRIDAY)
    expect(await costsOf(invoice.id)).toBe(6_000)
    await take(statement(MONDAY, addDays(FRIDAY, -1), [entry(invoice, 100_000, MONDAY)]))
    expect(await stateOf(invoice)).toMatchObject({ status: 'CLOSED', balance: 0 })
    expect(await costsOf(invoice.id)).toBe(0)
    expect(await missing()).toEqual([])
  })

  test('whose lines are kept and not booked yet is waited for', async () => {
    await open('daily_statement')
    const invoice = await build()
    await liveTo(addDays(TUESDAY, -1))
    await take(statement(MONDAY, MONDAY, [entry(invoice, 40_000, MONDAY)]))
    // As an import leaves it that is cut off between keeping and booking.
    await sql(
      `update bank_line set status = 'WAITING', invoice_id = null where instance_id = $1`,
      instance.id,
    )
    await liveTo(TUESDAY)
    expect(await dayOf(invoice.id, 'REMINDER')).toBeUndefined()
    await sql(
      `update bank_line set status = 'BOOKED', invoice_id = $2 where instance_id = $1`,
      instance.id,
      invoice.id,
    )
    await nights()
    expect(await dayOf(invoice.id, 'REMINDER')).toBe(TUESDAY)
  })
})

describe('what is caught up with', () => {
  test.each([2, 14])('after %i days more: one letter, with its full time to pay', async (more) => {
    await open('daily_statement')
    await sql('update instance set bank_file_wait_days = 20 where id = $1', instance.id)
    // Nothing has been told of since it fell due: expiry, its notice and the reminder all wait.
    const invoice = await build({ dueDate: MONDAY })
    const told = addDays(MONDAY, 7 + more)
    await liveTo(told, { [told]: () => confirm(addDays(told, -1)) })
    expect(await dayOf(invoice.id, 'EXPIRED')).toBe(told)
    // The reminder stands for the notice that it has overtaken.
    expect(await dayOf(invoice.id, 'EXPIRED_NOTIFICATION')).toBeUndefined()
    expect(await dayOf(invoice.id, 'REMINDER')).toBe(told)
    expect([await remindersOf(invoice), await costsOf(invoice.id)]).toEqual([1, 6_000])
    const last = addDays(told, 10)
    expect(await lastDayOf(invoice, 'REMINDER')).toBe(last)
    await choose('none')
    // Nothing follows within the time that it gave.
    await liveTo(addDays(last, 2))
    expect([await remindersOf(invoice), await costsOf(invoice.id)]).toEqual([1, 6_000])
    expect(await dayOf(invoice.id, 'COLLECTION_NOTIFICATION')).toBeUndefined()
    await liveTo(addDays(last, 3))
    expect(await dayOf(invoice.id, 'COLLECTION_NOTIFICATION')).toBe(addDays(last, 3))
  })

  test('by two processes at once is caught up with once', async () => {
    await open('daily_statement')
    const invoices = [await build(), await build(), await build()]
    await liveTo(WEDNESDAY)
    await confirm(TUESDAY)
    const context = { ...server.product.context, log: openLog('silent') }
    const run = (processName: string) => performDueRuns({ ...context, processName }, instance)
    await Promise.all([run('first'), run('second')])
    for (const { id } of invoices) {
      expect(await dayOf(id, 'REMINDER')).toBe(WEDNESDAY)
      expect(await costsOf(id)).toBe(6_000)
    }
    expect(await run('third')).toBe(0)
  })
})

describe('whose account it is', () => {
  const accountOf = async ({ id }: BuiltInvoice): Promise<string> =>
    (await sql('select payment_account_id as id from invoice where id = $1', id))[0]?.id

  test('a debt with an account of its own waits for that one only, and the others for the instance’s', async () => {
    await open('daily_statement')
    const [ours, own] = [await build(), await build({ hasAccount: true })]
    await liveTo(TUESDAY)
    expect([await dayOf(ours.id, 'REMINDER'), await dayOf(own.id, 'REMINDER')]).toEqual([undefined, TUESDAY])
    await choose('none')
    const other = await build({ hasAccount: true })
    await choose('daily_statement', await accountOf(other))
    await nights()
    expect([await dayOf(ours.id, 'REMINDER'), await dayOf(other.id, 'REMINDER')]).toEqual([TUESDAY, TUESDAY])
    const late = await build({ hasAccount: true, dueDate: addDays(TUESDAY, -6) })
    await choose('daily_statement', await accountOf(late))
    await liveTo(WEDNESDAY)
    expect(await dayOf(late.id, 'REMINDER')).toBeUndefined()
    expect(await awaited()).toContain(await accountOf(late))
  })

  test('an account that turns out to be another one is told of by that one’s files', async () => {
    await open(null)
    const context = server.product.context
    const account = {
      form: 'bankgiro',
      number: '9990-0110',
      currency: 'SEK',
      receiver: 'Nordklar AB',
    } as const
    await chooseOwnAccount(context, instance.id, { ...account, bank: undefined, bic: undefined, by: 'anna' })
    await choose('daily_statement', '9990-0110')
    const wanted = { kind: 'BANKGIRO', number: '9990-0110', country: 'SE' } as const
    await addAddress(context, instance.id, { of: IBAN, wanted, by: 'anna' })
    const invoice = await build()
    await sql(
      `update invoice set payment_account_id = (select id from payment_account where instance_id = $1 and joined_to is not null) where id = $2`,
      instance.id,
      invoice.id,
    )
    await liveTo(TUESDAY)
    expect(await dayOf(invoice.id, 'REMINDER')).toBeUndefined()
    await take(statement(DUE, MONDAY))
    await nights()
    expect(await dayOf(invoice.id, 'REMINDER')).toBe(TUESDAY)
  })
})

describe('a claim', () => {
  /** Two invoices of one debtor: one is paid to its creditor’s account, the other to the instance’s. */
  async function two(): Promise<[BuiltInvoice, BuiltInvoice, string]> {
    const first = await build({ hasAccount: true })
    const second = await build({ beside: first })
    const [{ id }] = await sql('select payment_account_id as id from invoice where id = $1', first.id)
    return [first, second, id]
  }
  const HANDED_OVER = addDays(DUE, 22)

  test('an invoice that waits keeps back what it is handed over with: they are one claim', async () => {
    await open('none')
    const [first, second, account] = await two()
    await liveTo(addDays(HANDED_OVER, -2))
    await choose('daily_statement', account)
    await liveTo(HANDED_OVER)
    expect([await stateOf(first), await stateOf(second)]).toMatchObject([
      { claimId: null },
      { claimId: null },
    ])
    await choose('none', account)
    await nights()
    const { claimId } = await stateOf(first)
    expect(claimId).not.toBeNull()
    expect((await stateOf(second)).claimId).toBe(claimId)
    const claims = await sql('select id from claim where debtor_id = $1', first.debtorId)
    expect(claims).toHaveLength(1)
    expect(await dayOf(claimId, 'COLLECTION_CLAIM')).toBe(HANDED_OVER)
  })

  test.each(['a member’s', 'the instance’s'])('waits for %s account', async (whose) => {
    await open('none')
    await sql('update instance set bank_file_wait_days = 20 where id = $1', instance.id)
    const [first, , account] = await two()
    await liveTo(HANDED_OVER)
    const { claimId } = await stateOf(first)
    const [{ due }] = await sql(
      `select planned_date::text as due from collection_step where debt_id = $1 and status = 'PLANNED'`,
      claimId,
    )
    await liveTo(addDays(date(due), -5))
    await choose('daily_statement', whose === 'a member’s' ? account : IBAN)
    await liveTo(addDays(date(due), 1))
    const ended = async () =>
      (
        await sql(`select status from collection_step where debt_id = $1 and planned_date = $2`, claimId, due)
      )[0]?.status
    expect(await ended()).toBe('PLANNED')
    await choose('none', whose === 'a member’s' ? account : IBAN)
    await nights()
    expect(await ended()).toBe('ASKED')
  })
})

test('an instalment is not late before its account is told of; bills go on', async () => {
  await open('none', server.instanceId)
  const invoice = await build({ dueDate: addDays(DUE, 20) })
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment`
  const { json } = await server.call('GET', `${path}/options`)
  const { offerVersion } = json as { offerVersion: string }
  const body = { type: 'PLAN_3', agreementAccepted: true, offerVersion }
  const started = await server.call('PUT', `${path}/start`, { body })
  expect(started.status, started.text).toBe(200)
  const [first, second] = (started.json as PlanAnswer).instalments.map(({ dueDate }) => date(dueDate))
  const instalments = async (): Promise<{ id: string; due: string }[]> =>
    sql(
      `select i.id, i.expire_date::text as due from part_payment_instalment n join invoice i on i.id = n.invoice_id
       where i.debtor_id = $1 order by i.expire_date`,
      invoice.debtorId,
    )
  await liveTo(first ?? DUE)
  const id = (await instalments())[0]?.id ?? ''
  await choose('daily_statement')
  await sql('update instance set bank_file_wait_days = 20 where id = $1', instance.id)
  await liveTo(addDays(first ?? DUE, 21))
  expect([await dayOf(id, 'EXPIRED'), await dayOf(id, 'PART_PAYMENT_NOTIFICATION')]).toEqual([
    undefined,
    undefined,
  ])
  expect((await instalments()).map(({ due }) => due)).toEqual([first, second])
  const told = addDays(first ?? DUE, 22)
  await liveTo(told, { [told]: () => confirm(addDays(told, -1)) })
  expect([await dayOf(id, 'EXPIRED'), await dayOf(id, 'PART_PAYMENT_NOTIFICATION')]).toEqual([told, told])
})

describe('a task ends', () => {
  test.each<[string, () => Promise<void>]>([
    ['the file comes', () => take(statement(MONDAY, addDays(FRIDAY, -1)))],
    ['a person says that there is none', () => confirm(addDays(FRIDAY, -1))],
    ['nobody asks for files any more', () => choose('none')],
  ])('of a file that is missing, once %s', async (_, end) => {
    await open('daily_statement')
    await liveTo(addDays(FRIDAY, -1))
    expect([await missing(), (await awaited()).length]).toEqual([[], 1])
    expect(await metric('kvitt_bank_accounts_awaited')).toBeGreaterThan(0)
    await liveTo(FRIDAY)
    expect([await missing(), (await awaited()).length]).toEqual([[MONDAY], 0])
    const before = await countMissingFiles(server.test.db, server.clock)
    expect(await metric('kvitt_bank_files_missing')).toBe(before)
    await nights()
    await end()
    expect(await missing()).toEqual([])
    expect(await metric('kvitt_bank_files_missing')).toBe(before - 1)
  })

  test('of an account of a live provider, once a person has said how its files come', async () => {
    await open(null)
    const isAsked = async (): Promise<boolean> => {
      const [{ id }] = await sql('select id from payment_account where instance_id = $1', instance.id)
      const task = { instanceId: instance.id, kind: 'account_files_unset', about: `account:${id}` } as const
      return isTaskOpen(server.test.db, task)
    }
    await liveTo(addDays(DUE, 1))
    expect(await isAsked()).toBe(false)
    await sql(`update instance set mode = 'live' where id = $1`, instance.id)
    await liveTo(addDays(DUE, 2))
    expect(await isAsked()).toBe(true)
    await choose('none')
    expect(await isAsked()).toBe(false)
    await liveTo(addDays(DUE, 3))
    expect(await isAsked()).toBe(false)
  })
})
