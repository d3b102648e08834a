/**
 * Where two acts meet: a debt of its own in an instance of its own, brought to the day on which everything that the acts
 * need has happened, by the product's own calls.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, addMonths, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { makeReference } from '@kvitt/domain/references.ts'
import { importBankFiles } from '../../bank-files/bank-files.ts'
import { performDailyRun } from '../../collection/collection.ts'
import type { Context } from '../../context.ts'
import { castBgMax } from '../../demo/cast-bgmax.ts'
import { importInvoices } from '../../imports/imports.ts'
import { insertSettingRow } from '../../part-payments/part-payments.ts'
import { newId, newReferenceDigits } from '../../platform/identity.ts'
import { agreeReminderFees, buildInstance, TODAY } from '../build.ts'
import { buildInstanceAccount, NIGHTS_TO_CLAIM } from '../build-claim.ts'
import { signInStaff } from '../staff.ts'
import type { TestServer } from '../start-test-server.ts'

export const SUBJECTS = ['invoice', 'claim'] as const
export type Subject = (typeof SUBJECTS)[number]

/**
 * What an act finds done: a plan that was begun a week ago, or one whose first instalment was missed and that ends
 * tonight; 200,00 or everything paid by transfer; an objection; a payment that the bank has executed and told nobody of,
 * before which we may have been told that it is signed; 30,00 that the creditor was paid itself, on the day of the invoice; a pause.
 */
export const NEEDS = [
  'young plan',
  'missed plan',
  'paid in part',
  'disputed',
  'executed',
  'signed',
  'paid',
  'paid directly',
  'paused',
] as const
export type Need = (typeof NEEDS)[number]

const fixture = (name: string): string =>
  readFileSync(new URL(`../../imports/fixtures/${name}`, import.meta.url), 'utf8')
const INVOICE = fixture('se-invoice.xml')
const NOTE = fixture('se-credit-note.xml')
const REFERENCE = /<cbc:PaymentID>(\d+)</.exec(INVOICE)?.[1] ?? ''
const BANKGIRO: Readonly<Record<Subject, string>> = { invoice: '9990-0227', claim: '9990-0110' }

type Pair = { readonly reference: string; readonly zip: string }
/** What is paid: the debt, or the instalment that its plan has billed. */
type Payable = Pair & { readonly id: string; readonly kind: Subject; readonly balanceMinor: number }

export type Stage = {
  readonly server: TestServer
  /** Calls of use cases go through it as the calls of the product do. */
  readonly context: Context
  readonly instance: { readonly id: string; readonly timeZone: string }
  readonly host: string
  readonly subject: Subject
  readonly invoice: Pair & { readonly id: string; readonly number: string; readonly debtorId: string }
  readonly debt: Pair & { readonly id: string }
  readonly payable: Payable
  /** A bank's file that pays all that is owed on the day. */
  readonly transfer: string
  /** The line of a bank's file that has been booked, if the acts need one. */
  readonly lineId: string
  /** Where the bank calls back, if the acts need a payment. */
  readonly callback: string
  readonly paymentId: string
  /** The header of a manager of the creditor. */
  readonly manager: { readonly authorization: string }
  /** The booking of what the creditor was paid itself, if the acts need it. */
  readonly directId: string
}

let serial = 0

type Files = Pick<Stage, 'context' | 'instance'>

export async function importText({ context, instance }: Files, text: string): Promise<string> {
  const file = {
    name: 'file.xml',
    async *open() {
      yield Buffer.from(text)
    },
  }
  for await (const { outcome, reason } of importInvoices(context, instance, [file], { as: 'distributed' })) {
    return reason ?? outcome
  }
  throw new Error('no answer')
}

export async function takeTransfer({ context, instance }: Files, text: string): Promise<string[]> {
  const file = {
    name: 'transfer',
    async *open() {
      yield Buffer.from(text, 'latin1')
    },
  }
  const outcomes: string[] = []
  for await (const { outcome } of importBankFiles(context, instance, [file])) outcomes.push(outcome)
  return outcomes
}

export const creditNote = ({ invoice }: Pick<Stage, 'invoice'>, amount: string): string =>
  NOTE.replaceAll('142.00', amount)
    .replace('2026-70012', invoice.number)
    .replace('K-2026-0031', `K-${invoice.number}-${amount}`)
    .replaceAll('Alva Provlund', `Alva Provlund ${invoice.number}`)

function transferOf(subject: Subject, reference: string, amountMinor: number): string {
  serial += 1
  return castBgMax({
    bankgiro: BANKGIRO[subject],
    day: TODAY,
    serial: serial % 90_000,
    payments: [{ reference, amountMinor }],
  })
}

/** A call as a browser makes it, to the stage's own instance. Throws on an answer that is the product's fault. */
export async function ask(
  { server, host, headers }: Pick<Stage, 'server' | 'host'> & { readonly headers?: object },
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: object,
): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const answer = await server.product.app.inject({
    method,
    url,
    headers: { host, ...headers },
    ...(payload ? { payload } : {}),
  })
  if (answer.statusCode >= 500) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  return { status: answer.statusCode, json: answer.body === '' ? {} : answer.json() }
}

export const door = (kind: Subject, { reference, zip }: Pair): string =>
  `/api/public/${kind === 'invoice' ? 'invoices' : 'collection-batches'}/${reference}/${zip}`

/** The days before today on which nights have run, and when the plan began. */
function daysOf(subject: Subject, needs: readonly Need[]): { due: CalendarDate; planFrom?: CalendarDate } {
  const missedFrom = date('2026-09-20')
  const planFrom = needs.includes('missed plan') ? missedFrom : addDays(TODAY, -8)
  if (needs.includes('missed plan') || needs.includes('young plan')) {
    return { due: addDays(planFrom, subject === 'invoice' ? -3 : -27), planFrom }
  }
  // Tonight the reminder is due, or the question what comes after the schedule.
  return { due: addDays(TODAY, subject === 'invoice' ? -7 : -62) }
}

type World = Pick<Stage, 'server' | 'context' | 'instance' | 'host'> & {
  readonly moveTo: (day: CalendarDate) => void
}

async function nights({ context, instance, moveTo }: World, days: readonly CalendarDate[]): Promise<void> {
  for (const day of days) {
    moveTo(day)
    await performDailyRun(context, instance, day)
  }
}

async function row<Row>({ server }: Pick<Stage, 'server'>, text: string, ...values: unknown[]): Promise<Row> {
  const { rows } = await server.test.owner.query(text, values)
  if (rows.length !== 1) throw new Error(`${rows.length} rows of ${text}`)
  return rows[0] as Row
}

async function openInstance(
  server: TestServer,
  clock: StageClock,
): Promise<Pick<Stage, 'instance' | 'host'>> {
  serial += 1
  // The bank leads back to an address without https on this machine only.
  const named = { alias: `pair${serial}`, domain: 'localhost', isDefault: false }
  const { id, host } = await buildInstance(server.test, named)
  await buildInstanceAccount(server.test, id)
  await insertSettingRow(server.test.db, id, {
    id: newId(Date.now()),
    creditorId: null,
    code: 'PLAN_4',
    variant: 'PART_PAYMENT',
    currency: 'SEK',
    months: 4,
    startFeeMinor: 5_000,
    monthlyFeeMinor: 2_900,
    percent: '12',
    interestFreeDays: 0,
    // Its first instalment is billed while the debtor may still withdraw.
    termsDays: 25,
    thresholdPercent: null,
    addToExisting: false,
    legalVisible: false,
    termsVisible: true,
    smallestBalanceMinor: 30_000,
    validFrom: '2020-01-01',
    isOffered: true,
  })
  await clock.lookAgain(() => server.product.app.inject({ url: '/api/ping/version', headers: { host } }))
  return { instance: { id, timeZone: 'Europe/Stockholm' }, host }
}

/** A clock for stages: its day is moved, and the product can be made to look at its instances again. */
export function openStageClock() {
  let [today, ahead, looks] = [TODAY, 0, 0]
  return {
    now: () => Date.now() + ahead,
    today: () => today,
    moveTo(day: CalendarDate) {
      today = day
    },
    async lookAgain(ask: () => PromiseLike<unknown>): Promise<void> {
      ahead = ++looks * 6_000
      await ask()
      ahead = 0
    },
  }
}
export type StageClock = ReturnType<typeof openStageClock>

async function openDebt(
  world: World,
  { subject, due, isDirect }: { subject: Subject; due: CalendarDate; isDirect: boolean },
) {
  serial += 1
  const number = `${serial}`
  const reference = makeReference('SE', newReferenceDigits())
  const sent = addDays(due, -30)
  world.moveTo(sent)
  const outcome = await importText(
    world,
    INVOICE.replace('2026-11-02', sent)
      .replace('2026-12-02', due)
      .replace(REFERENCE, reference)
      .replace('2026-70012', number)
      .replaceAll('Alva Provlund', `Alva Provlund ${number}`),
  )
  if (outcome !== 'created') throw new Error(`the invoice: ${outcome}`)
  await agreeReminderFees(world.server.test, world.instance.id)
  const staff = await openOffice(world, isDirect)
  await nights(
    world,
    NIGHTS_TO_CLAIM.filter((after) => subject === 'claim' || after < 7).map((after) => addDays(due, after)),
  )
  const invoice = await row<Stage['invoice'] & { claim_id: string | null }>(
    world,
    `select id, invoice_number as number, payment_reference as reference, zip, debtor_id as "debtorId", claim_id
     from invoice where instance_id = $1`,
    world.instance.id,
  )
  if (subject === 'invoice') return { invoice, debt: invoice, ...staff }
  const debt = await row<Stage['debt']>(
    world,
    'select id, payment_reference as reference, zip from claim where id = $1',
    invoice.claim_id,
  )
  return { invoice, debt, ...staff }
}

/** A manager of the creditor; told of money that it was paid itself. */
async function openOffice(world: World, isDirect: boolean): Promise<Pick<Stage, 'manager' | 'directId'>> {
  const instanceId = world.instance.id
  const { id, creditorId } = await row<{ id: string; creditorId: string }>(
    world,
    'select id, creditor_id as "creditorId" from invoice where instance_id = $1',
    instanceId,
  )
  const at = { instanceId, creditorId, role: 'manager' } as const
  const manager = await signInStaff(world.context, at)
  if (!isDirect) return { manager, directId: '' }
  const day = world.context.clock.today(world.instance.timeZone)
  const path = `/api/client/invoices/${id}/direct-payment`
  const told = await ask({ ...world, headers: manager }, 'POST', path, { amount: '30.00', date: day })
  if (told.status !== 200) throw new Error(`the direct payment: ${JSON.stringify(told.json)}`)
  const booked = `select id from ledger_transaction where instance_id = $1 and kind = 'PAYMENT'`
  return { manager, directId: (await row<{ id: string }>(world, booked, instanceId)).id }
}

async function beginPlan(
  world: World,
  { subject, debt }: Pick<Stage, 'subject' | 'debt'>,
  from: CalendarDate,
) {
  world.moveTo(from)
  const verb = subject === 'invoice' ? 'PUT' : 'POST'
  const started = await ask(world, verb, `${door(subject, debt)}/part-payment/start`, { type: 'PLAN_4' })
  if (started.status !== 200) throw new Error(`the plan: ${JSON.stringify(started.json)}`)
  const due = addMonths(from, 1)
  await nights(
    world,
    [addDays(due, -25), addDays(due, 1), addDays(due, 2)].filter((day) => day < TODAY),
  )
}

/** The newest bill of the plan that the debt is in, else the debt itself. */
function readPayable(world: World, subject: Subject, debtId: string): Promise<Payable> {
  return row<Payable>(
    world,
    `select * from (
       select i.id, i.payment_reference as reference, i.zip, i.balance_minor::int as "balanceMinor", 'invoice' as kind, 1 as n
       from part_payment_member m
       join part_payment_instalment b using (instance_id, part_payment_id)
       join invoice i on i.instance_id = b.instance_id and i.id = b.invoice_id
       where m.instance_id = $1 and $2 in (m.invoice_id, m.claim_id)
       union all
       select id, payment_reference, zip, balance_minor::int, 'invoice', 2 from invoice where instance_id = $1 and id = $2
       union all
       select id, payment_reference, zip, balance_minor::int, 'claim', 2 from claim where instance_id = $1 and id = $2) p
     order by n limit 1`,
    world.instance.id,
    debtId,
  ).then((found) => ({ ...found, kind: found.kind === 'invoice' ? 'invoice' : subject }))
}

async function payByTransfer(world: World, payable: Payable, amountMinor: number): Promise<string> {
  const [outcome] = await takeTransfer(world, transferOf(payable.kind, payable.reference, amountMinor))
  if (outcome !== 'booked') throw new Error(`the transfer was ${outcome}`)
  const line = await row<{ id: string }>(
    world,
    `select id from bank_line where instance_id = $1 order by id desc limit 1`,
    world.instance.id,
  )
  return line.id
}

/** A payment of all that is owed, signed and executed; what the bank tells of it has not come. */
async function payAtBank(world: World, payable: Payable, isSigned: boolean) {
  const { server, instance } = world
  const started = await ask(world, 'POST', `${door(payable.kind, payable)}/payment-requests`, {
    paymentDate: TODAY,
    amount: (payable.balanceMinor / 100).toFixed(2),
    redirectUri: `http://${world.host}/`,
    serviceProviderCode: 'DIRECT_BANK',
  })
  if (started.status !== 201) throw new Error(`the payment: ${JSON.stringify(started.json)}`)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === payable.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`, { hold: true })
  const { secret, id } = await row<{ secret: string; id: string }>(
    world,
    'select callback_secret as secret, id from payment where instance_id = $1',
    instance.id,
  )
  const callback = `/api/callbacks/direct-bank/${secret}`
  if (isSigned) {
    await ask(world, 'POST', callback, { eventId: 'signed', transactionStatus: 'ACCP' })
    // The call is answered before the bank is asked: it has to be asked before there is more to tell.
    const isKnown = async (): Promise<boolean> =>
      (await row<{ status: string }>(world, 'select status from payment where id = $1', id)).status ===
      'AUTHORIZED'
    for (let tries = 0; !(await isKnown()); tries++) {
      if (tries === 500) throw new Error('nobody has heard that the payment is signed')
      await sleep(20)
    }
  }
  await server.control('POST', '/control/settle', { date: '2026-12-31', includeHeld: true })
  return { callback, paymentId: id }
}

/** Builds a stage for acts that need this; the clock stands at TODAY afterwards. */
export async function buildStage(
  server: TestServer,
  clock: StageClock,
  { subject, needs }: { readonly subject: Subject; readonly needs: readonly Need[] },
): Promise<Stage> {
  const { context } = server.product
  const world: World = {
    server,
    context,
    ...(await openInstance(server, clock)),
    moveTo: (day) => clock.moveTo(day),
  }
  const { due, planFrom } = daysOf(subject, needs)
  const isDirect = needs.includes('paid directly')
  const { invoice, debt, manager, directId } = await openDebt(world, { subject, due, isDirect })
  if (planFrom) await beginPlan(world, { subject, debt }, planFrom)
  clock.moveTo(TODAY)
  const isSigned = needs.includes('signed')
  let lineId = ''
  let payment = { callback: '', paymentId: '' }
  const payable = () => readPayable(world, subject, debt.id)
  if (needs.includes('paid in part')) lineId = await payByTransfer(world, await payable(), 5_000)
  if (needs.includes('disputed')) {
    const objection = { debtorEmail: 'alva@example.com', reason: 'Fel mätare' }
    const disputed = await ask(world, 'POST', `${door(subject, debt)}/dispute`, objection)
    if (disputed.status !== 201) throw new Error(`the dispute: ${JSON.stringify(disputed.json)}`)
  }
  if (needs.includes('paused')) {
    const path = `/api/client/${subject === 'invoice' ? 'invoices' : 'collection-batches'}/${debt.id}/pause`
    const until = addDays(TODAY, 30)
    // What is disputed, or waits for what is signed, rests already.
    await ask({ ...world, headers: manager }, 'POST', path, { until, reason: 'respite' })
  }
  if (needs.includes('executed') || needs.includes('signed')) {
    payment = await payAtBank(world, await payable(), isSigned)
  }
  const { balanceMinor, ...paid } = await payable()
  // A krona more, or the bank's line would be taken for the money that was signed for.
  const wholeMinor = balanceMinor + (isSigned ? 100 : 0)
  if (needs.includes('paid')) lineId = await payByTransfer(world, { balanceMinor, ...paid }, wholeMinor)
  const transfer = transferOf(paid.kind, paid.reference, balanceMinor)
  return {
    ...world, ...payment, subject, invoice, debt, payable: { balanceMinor, ...paid }, transfer, lineId, manager, directId,
  } // biome-ignore format: a list of parts
}
