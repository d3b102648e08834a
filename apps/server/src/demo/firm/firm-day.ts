/** One day of the firm's past: invoices come, people pay, object and choose plans, and the night collects. */
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { isBankDay } from '@kvitt/domain/collection/bank-days.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { importBankFiles } from '../../bank-files/bank-files.ts'
import { decideDispute, performDailyRun } from '../../collection/collection.ts'
import type { Context } from '../../context.ts'
import { disputeInvoice } from '../../disputes/disputes.ts'
import { importInvoices, type ImportInput } from '../../imports/imports.ts'
import type { Instance } from '../../instances/instances.ts'
import { publicViewer } from '../../sign-in/viewer.ts'
import { castBgMax, type CastPayment } from '../cast-bgmax.ts'
import { castUbl, type CastFile } from '../cast-ubl.ts'
import type { CastCreditor } from '../cast.ts'
import { startCastPlan } from '../live-plans.ts'
import {
  findMember,
  findOpenDispute,
  isFileKnown,
  isRunHeld,
  readFirmDebts,
  readInstalmentsDue,
  sendPastOfFirm,
  type FirmDebt,
} from './firm.queries.ts'
import { ANSWER_DAYS, lastBankDay, STRAYS, type FirmInvoice, type Story } from './recipe.ts'

export type FirmStage = {
  /** Its clock stands on the day that is lived through. */
  readonly context: Context
  readonly instance: Instance
  readonly creditors: Readonly<Record<FirmInvoice['creditor'], CastCreditor>>
  /** The instance's own bankgiro, which claims are paid to. */
  readonly bankgiro: string
  readonly invoices: readonly FirmInvoice[]
  /** The day on which the demo was made. */
  readonly today: CalendarDate
}

const HELD_LOOK_MS = 250

/** All of it may be done again: what was done before changes nothing. */
export async function liveFirmDay(stage: FirmStage, day: CalendarDate): Promise<void> {
  const { context, instance, invoices } = stage
  const issued = invoices.filter((invoice) => invoice.issued === day)
  await bill(
    stage,
    issued.map((invoice) => fileOf(stage, invoice)),
  )
  const today = invoices.filter(({ happens }) => happens === day)
  const debts = await readFirmDebts(
    context.db,
    instance.id,
    today.map(({ number }) => number),
  )
  const credited = today.filter(
    ({ story, number }) => story === 'credited' && debts.get(number)?.status === 'ACTIVATED',
  )
  await bill(
    stage,
    credited.map((invoice) => creditOf(stage, invoice, day)),
  )
  for (const invoice of today) await act(stage, invoice, debts.get(invoice.number))
  for (const invoice of invoices.filter(
    ({ story, happens }) => story === 'disputed' && happens === addDays(day, -ANSWER_DAYS),
  ))
    await answer(stage, invoice)
  await payAll(stage, day, today)
  await spendNight(stage, day)
  await sendPastOfFirm(context.db, instance.id)
}

/** As a creditor's invoices come in: as files. */
async function bill({ context, instance }: FirmStage, files: readonly ImportInput[]): Promise<void> {
  if (files.length === 0) return
  for await (const { outcome, file, reason } of importInvoices(context, instance, files, {
    as: 'distributed',
  }))
    if (outcome === 'refused') throw new Error(`the firm's ${file} was refused: ${reason}`)
}

function castFileOf({ creditors }: FirmStage, invoice: FirmInvoice): CastFile {
  const { number, reference, debtor, text, totalMinor, issued, due } = invoice
  return {
    creditor: creditors[invoice.creditor],
    debtor,
    issueDate: issued,
    dueDate: due,
    invoice: {
      key: number,
      invoiceNumber: number,
      paymentReference: reference,
      debtor: debtor.key,
      creditor: invoice.creditor,
      currency: 'SEK',
      total: amountText(totalMinor),
      due: 0,
      text,
      end: 'owed',
    },
  }
}

function input(name: string, text: string): ImportInput {
  return {
    name,
    async *open() {
      yield Buffer.from(text)
    },
  }
}

const fileOf = (stage: FirmStage, invoice: FirmInvoice): ImportInput =>
  input(`${invoice.number}.xml`, castUbl(castFileOf(stage, invoice)))

function creditOf(stage: FirmStage, invoice: FirmInvoice, day: CalendarDate): ImportInput {
  const note = castUbl(
    { ...castFileOf(stage, invoice), issueDate: day },
    { number: `K${invoice.number}`, of: invoice.number },
  )
  return input(`K${invoice.number}.xml`, note)
}

const REASONS = [
  'Mätaren byttes i september. Förbrukningen på fakturan är inte min.',
  'Jag har flyttat och sagt upp avtalet i tid.',
  'Beloppet stämmer inte med avtalet.',
] as const

/** What a debtor does about an invoice, other than paying it. */
async function act(
  { context, instance }: FirmStage,
  { story, number, reference, debtor, totalMinor }: FirmInvoice,
  debt: FirmDebt | undefined,
): Promise<void> {
  if (debt?.status !== 'ACTIVATED' || debt.balance_minor === 0) return
  const viewer = publicViewer(instance, reference, debtor.zip.replace(' ', ''))
  if (story === 'disputed' && !debt.was_disputed) {
    const reason = REASONS[totalMinor % REASONS.length] ?? REASONS[0]
    await disputeInvoice(context, viewer, number, { debtorEmail: debtor.email, reason })
  }
  if (story === 'planned')
    await startCastPlan(context, viewer, { wanted: { invoice: number }, code: 'PLAN_6' })
}

/** The creditor's own people answer: every other objection was right. */
async function answer({ context, instance }: FirmStage, invoice: FirmInvoice): Promise<void> {
  const { number, creditor } = invoice
  const debt = (await readFirmDebts(context.db, instance.id, [number])).get(number)
  const disputeId = debt && (await findOpenDispute(context.db, instance.id, debt.id))
  const who = await findMember(
    context.db,
    instance.id,
    `${creditor === 'gym' ? 'gym' : 'clerk'}@kvitt.example`,
  )
  if (disputeId === undefined || !who) return
  const isRight = Number(number.slice(2)) % 200 < 100
  await decideDispute(context, {
    instanceId: instance.id,
    disputeId,
    decision: isRight ? 'UPHOLD' : 'REJECT',
    amount: undefined,
    answer: isRight ? 'Du har rätt, vi krediterar fakturan.' : 'Avläsningen stämmer med mätaren på adressen.',
    by: `person:${who.person_id}:${who.membership_id}`,
  })
}

const IN_FULL: readonly Story[] = ['early', 'inTime', 'late']
const WHAT_IS_ASKED: readonly Story[] = ['reminded', 'inClaim']

type Paid = CastPayment & { readonly bankgiro: string }

function paymentOf(
  { creditors, bankgiro }: FirmStage,
  invoice: FirmInvoice,
  debt: FirmDebt,
): Paid | undefined {
  const { accountNumber } = creditors[invoice.creditor].account
  const { reference, story, totalMinor: amountMinor } = invoice
  if (IN_FULL.includes(story)) return { bankgiro: accountNumber, reference, amountMinor }
  if (!WHAT_IS_ASKED.includes(story)) return undefined
  const inClaim = debt.claim_reference
    ? { bankgiro, reference: debt.claim_reference, amountMinor: debt.claim_balance_minor ?? 0 }
    : { bankgiro: accountNumber, reference, amountMinor: debt.balance_minor }
  return inClaim.amountMinor > 0 ? inClaim : undefined
}

/** A day's file of each account that something came to. A file that is here is not made again: what is asked has changed by it. */
async function payAll(stage: FirmStage, day: CalendarDate, due: readonly FirmInvoice[]): Promise<void> {
  const { context, instance } = stage
  const debts = await readFirmDebts(
    context.db,
    instance.id,
    due.map(({ number }) => number),
  )
  const paid = due.flatMap((invoice) => {
    const debt = debts.get(invoice.number)
    return (debt && paymentOf(stage, invoice, debt)) ?? []
  })
  paid.push(...(await instalmentsOf(stage, day)))
  if (day === lastBankDay(stage.today)) paid.push(...straysOf(stage))
  const files: ImportInput[] = []
  for (const bankgiro of new Set(paid.map((payment) => payment.bankgiro))) {
    const name = `bankgiro-${bankgiro}-${day}.txt`
    if (await isFileKnown(context.db, instance.id, name)) continue
    // Of two invoices of one claim that are paid on a day, the claim is paid once.
    const payments = new Map(
      paid.filter((one) => one.bankgiro === bankgiro).map((one) => [one.reference, one]),
    )
    files.push(
      input(name, castBgMax({ bankgiro, day, payments: [...payments.values()], serial: serialOf(day) })),
    )
  }
  for await (const { outcome, reason, file } of importBankFiles(context, instance, files))
    if (outcome === 'refused') throw new Error(`the firm's ${file} was refused: ${reason}`)
}

/** Of five plans, four are kept: what fell due since banks were last open is paid. */
async function instalmentsOf(
  { context, instance, creditors }: FirmStage,
  day: CalendarDate,
): Promise<Paid[]> {
  if (!isBankDay('SE', day)) return []
  const since = { after: lastBankDay(day), until: day }
  const due = await readInstalmentsDue(context.db, instance.id, since)
  return due
    .filter(({ number }) => Number(number.slice(2, 7)) % 5 !== 0)
    .map(({ number, reference, balance_minor: amountMinor }) => {
      const { account } = number.startsWith('G') ? creditors.gym : creditors.energy
      return { bankgiro: account.accountNumber, reference, amountMinor }
    })
}

/** Money that nobody can place by its reference, and an invoice that somebody pays a second time. */
function straysOf({ creditors, invoices, today }: FirmStage): Paid[] {
  const bankgiro = creditors.energy.account.accountNumber
  const twice = invoices.find(
    ({ creditor, story, happens }) =>
      creditor === 'energy' && story === 'inTime' && happens !== null && happens < today,
  )
  const strays = STRAYS.map((stray) => ({ ...stray, bankgiro }))
  return twice ? [...strays, { bankgiro, reference: twice.reference, amountMinor: twice.totalMinor }] : strays
}

/** The bank numbers its deposits; the day's number is as good as any. */
const serialOf = (day: CalendarDate): number => Math.floor(Date.parse(day) / 86_400_000) % 100_000

/** A process that was killed in the night of the day holds it for half a minute more. */
async function spendNight({ context, instance }: FirmStage, day: CalendarDate): Promise<void> {
  while (await isRunHeld(context.db, instance.id, day)) await sleep(HELD_LOOK_MS)
  await performDailyRun(context, instance, day)
}
