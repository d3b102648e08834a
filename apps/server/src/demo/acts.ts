/** What people did to the cast's invoices, on the day they did it. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { importBankFiles } from '../bank-files/bank-files.ts'
import { denyTaxReduction, pauseInvoice, stopInvoice } from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { disputeInvoice } from '../disputes/disputes.ts'
import type { Instance } from '../instances/instances.ts'
import { clockOnDay } from '../platform/clock.ts'
import { publicViewer } from '../sign-in/viewer.ts'
import type { Cast, CastInvoice, Ending } from './cast.ts'
import { castBgMax } from './cast-bgmax.ts'
import { findCastInvoice } from './demo.queries.ts'
import { goToBank, visitOf } from './go-to-bank.ts'

export type Stage = { readonly context: Context; readonly instance: Instance; readonly cast: Cast }

export function onDay({ context }: Stage, day: CalendarDate): Context {
  return { ...context, clock: clockOnDay(context.clock, day) }
}

/** What somebody did to an overdue invoice, so many days after its due date. */
export const ACTS: Readonly<Partial<Record<Ending, number>>> = {
  disputed: 3,
  paused: 5,
  paidLate: 20,
  paidInPart: 1,
  denied: 30,
  stopped: 15,
}

/** The cleaning was invoiced at half its price; the tax authority would not pay the other half. */
const DENIED = { decision: 'RUT-2026-114', amountMinor: 900_000 }

export async function act(stage: Stage, wanted: CastInvoice, day: CalendarDate): Promise<void> {
  const { instance, cast } = stage
  const context = onDay(stage, day)
  const found = await findCastInvoice(context.db, instance.id, wanted.invoiceNumber)
  const debtor = cast.debtors.find((d) => d.key === wanted.debtor)
  if (!found || !debtor) return
  const key = { instanceId: instance.id, invoiceId: found.id }
  if (wanted.end === 'denied') await denyTaxReduction(context, key, { on: day, ...DENIED })
  if (found.status !== 'ACTIVATED') return
  if (wanted.end === 'paidLate') {
    const file = { invoice: wanted, debtor, dueDate: addDays(day, -(ACTS.paidLate ?? 0)) }
    const amount = amountText(found.balance_minor)
    await goToBank(context, instance, visitOf(file, { invoiceId: found.id, paidOn: day, amount }))
  }
  // What the transfer left is less than the total: it has come already.
  if (wanted.end === 'paidInPart' && amountText(found.balance_minor) === wanted.total) {
    await transferInPart({ ...stage, context }, wanted, day)
  }
  if (wanted.end === 'paused')
    await pauseInvoice(context, key, { on: day, reason: 'respite', resumeDate: null })
  if (wanted.end === 'stopped') await stopInvoice(context, key, { on: day, reason: 'withdrawn' })
  if (wanted.end === 'disputed') {
    const viewer = publicViewer(instance, wanted.paymentReference, debtor.zip)
    await disputeInvoice(context, viewer, wanted.invoiceNumber, {
      debtorEmail: debtor.email ?? 'debtor@example.com',
      reason: 'Mätaren byttes i september. Förbrukningen på fakturan är inte min.',
    })
  }
}

const TRANSFERRED_MINOR = 50_000

/** A transfer of less than is owed, as the creditor's bank reports it. */
async function transferInPart(stage: Stage, wanted: CastInvoice, day: CalendarDate): Promise<void> {
  const bankgiro =
    stage.cast.creditors.find(({ key }) => key === wanted.creditor)?.account.accountNumber ?? ''
  const payments = [{ reference: wanted.paymentReference, amountMinor: TRANSFERRED_MINOR }]
  const input = {
    name: `${wanted.key}.bgmax`,
    async *open() {
      yield Buffer.from(castBgMax({ bankgiro, day, payments }))
    },
  }
  for await (const { outcome, reason } of importBankFiles(stage.context, stage.instance, [input])) {
    if (outcome !== 'booked') throw new Error(`the cast's transfer was ${outcome}: ${reason}`)
  }
}
