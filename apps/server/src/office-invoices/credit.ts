/** A credit note that a creditor's staff writes: all that is left, an amount, or rows (M-05). */
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import { priceCreditedRows, type CreditedRow, type WantedRow } from '@kvitt/domain/invoices/credit-rows.ts'
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import { noteDeed } from '../audit/audit.ts'
import { creditByHand, tellCredited, type CreditByHand } from '../imports/imports.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import { actorOf } from '../staff/staff.ts'
import { IN_PLANS } from '@kvitt/domain/invoices/acts.ts'
import type { Acted } from './act-once.ts'
import { decide, type Act } from './decide.ts'
import { readTaxes } from './drafts.queries.ts'

export type CreditBody = {
  readonly amount?: string | number | null | undefined
  readonly rows?: readonly WantedRow[] | null | undefined
  readonly reason: string
}

/** Refuses both an amount and rows, more than is left of the document, and what cannot be credited as it stands. */
export function credit(act: Act, body: CreditBody): Promise<Acted> {
  const { context, principal, row } = act
  const hasAmount = (body.amount ?? null) !== null
  if (hasAmount && body.rows) throw new Refusal('invalid_request', {}, ['amount', 'rows'])
  if (!saysSomething(body.reason)) throw new Refusal('why_required', {}, ['reason'])
  const { instance_id: instanceId, id: invoiceId } = row
  return decide(act, async (tx, today) => {
    const taxes = body.rows ? await readTaxes(tx, { instanceId, invoiceId }) : []
    const done = await creditByHand(context, tx, {
      instanceId,
      invoiceId,
      today,
      priceOf: (invoice, left) => wantedOf(body, { invoice, taxes, left }),
    })
    if (!done) throw new Refusal('act_not_open')
    // Nothing is kept: the plan of a claim would go on asking for what is credited.
    if (done.credited.claim?.is_part_payment) throw new Refusal('owed_in_plan')
    await tellCredited(context, tx, done)
    await noteDeed(tx, {
      instanceId,
      kind: 'invoice_credited',
      by: actorOf(principal),
      about: `invoice:${invoiceId}`,
      reason: body.reason.trim(),
      after: { creditNote: done.number, creditMinor: done.creditMinor },
    })
    return invoiceId
  })
}

type Creditable = {
  readonly invoice: InvoiceRow
  readonly taxes: readonly { readonly percent: string }[]
  /** In minor units, and by row what earlier notes have taken. */
  readonly left: { readonly minor: number; readonly rows: readonly CreditedRow[] }
}

function wantedOf({ amount, rows }: CreditBody, { invoice, taxes, left }: Creditable): Priced {
  if (left.minor <= 0) throw new Refusal('nothing_left')
  // What a plan has billed is credited with the whole of what it is a part of, which ends the plan.
  const isPart = (amount ?? null) !== null || rows
  if (IN_PLANS.includes(invoice.type) || (invoice.is_part_payment && isPart))
    throw new Refusal('owed_in_plan')
  const { currency, total_minor: totalMinor } = invoice
  const refuseAbove = ({ minor, rows: taken }: Priced): Priced => {
    if (minor > 0 && minor <= left.minor) return { minor, rows: taken }
    const most = { amount: amountText(left.minor), currency }
    throw new Refusal('amount_too_large', most, [rows ? 'rows' : 'amount'])
  }
  if (rows) {
    const document = {
      rows: invoice.rows,
      taxes,
      currency,
      totalMinor,
      credited: left.rows,
      leftMinor: left.minor,
    }
    const priced = priceCreditedRows(rows, document)
    if ('field' in priced) throw new Refusal('invalid_request', {}, [priced.field])
    return refuseAbove(priced)
  }
  const given = (amount ?? null) === null ? left : parseAmount(String(amount), currency)
  if (!given) throw new Refusal('amount_malformed', {}, ['amount'])
  return refuseAbove({ minor: given.minor })
}

type Priced = ReturnType<CreditByHand['priceOf']>
