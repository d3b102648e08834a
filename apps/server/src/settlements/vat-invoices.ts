/** The operator's VAT invoice for the fees of a settlement: as an answer, and as a PDF for the creditor's books. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount } from '@kvitt/domain/money.ts'
import {
  isReverseCharge,
  vatInvoiceOf,
  vatNumberOf,
  type FeeLine,
  type VatInvoice,
  type VatParty,
} from '@kvitt/domain/settlements/vat-invoice.ts'
import type { Context } from '../context.ts'
import { drawLetter, type DrawnParty } from '../documents/documents.ts'
import type { FileAnswer } from '../platform/http/send-file.ts'
import { languageFrom, textOf } from '../platform/texts.ts'
import type { ClientPrincipal } from '../staff/staff.ts'
import { readLines, type SettlementRow } from './office.queries.ts'
import type { FileCall } from './settlement-files.ts'
import { readInvoicesBefore, readVatInvoice, type VatInvoiceRow } from './vat-invoices.queries.ts'

type Issued = {
  readonly number: number
  readonly issuedOn: VatInvoiceRow['issuedOn']
  readonly seller: VatParty
  readonly buyer: VatParty
  readonly invoice: VatInvoice
  readonly refersTo: readonly number[]
}

const partyOf = ({ address, ...party }: VatInvoiceRow['seller']): VatParty => ({
  ...party,
  address: address.filter((line): line is string => line !== null && line.trim() !== ''),
})

/** Refuses `settlement_counting` and, of a settlement without fees, `not_found`. */
async function findIssued(
  { db }: Pick<Context, 'db'>,
  principal: ClientPrincipal,
  settlement: SettlementRow,
): Promise<Issued> {
  if (settlement.status === 'COUNTING') throw new Refusal('settlement_counting')
  const row = await readVatInvoice(db, principal, settlement.id)
  if (!row) throw new Refusal('not_found')
  const lines = (await readLines(db, principal.instance.id, settlement.id)).flatMap((line): FeeLine[] =>
    line.cause === null ? [line] : [],
  )
  return {
    number: row.number,
    issuedOn: row.issuedOn,
    seller: partyOf(row.seller),
    buyer: partyOf(row.buyer),
    invoice: vatInvoiceOf(lines),
    refersTo: await readInvoicesBefore(db, principal.instance.id, settlement.id),
  }
}

export async function presentVatInvoice(
  context: Pick<Context, 'db'>,
  principal: ClientPrincipal,
  settlement: SettlementRow,
) {
  const issued = await findIssued(context, principal, settlement)
  const { number, issuedOn, seller, buyer, invoice, refersTo } = issued
  const { id, from, to, currency } = settlement
  const party = (of: VatParty) => ({
    ...of,
    address: [...of.address],
    vatNumber: vatNumberOf(of) ?? null,
  })
  return {
    number,
    kind: invoice.kind,
    issuedOn,
    settlement: { id, number: settlement.number },
    period: { from, to },
    currency,
    seller: party(seller),
    buyer: party(buyer),
    fees: invoice.fees.map(({ kind, minor }) => ({ kind, amount: new Amount(minor), currency })),
    rates: invoice.rates.map(({ rateBp, baseMinor, vatMinor }) => ({
      percent: rateBp / 100,
      base: new Amount(baseMinor),
      vat: new Amount(vatMinor),
      currency,
    })),
    net: new Amount(invoice.netMinor),
    vat: new Amount(invoice.vatMinor),
    total: new Amount(invoice.totalMinor),
    unpaid: new Amount(invoice.unpaidMinor),
    isReverseCharge: isReverseCharge(invoice, issued),
    refersTo: [...refersTo],
  }
}

export async function fileOfVatInvoice(
  { context, principal, request }: FileCall,
  settlement: SettlementRow,
): Promise<FileAnswer> {
  const issued = await findIssued(context, principal, settlement)
  const { number, issuedOn, seller, buyer, invoice, refersTo } = issued
  const { instance } = principal
  const language = languageFrom(request.headers['accept-language'], instance.language)
  const title = textOf(
    language,
    invoice.kind === 'INVOICE' ? 'vat_invoice.title' : 'vat_invoice.credit_note',
    {
      number,
    },
  )
  const drawn = (party: VatParty): DrawnParty => ({ ...party, vatNumber: vatNumberOf(party) })
  const bytes = await drawLetter(
    { kind: 'vatInvoice', requester: `${instance.id} ${principal.creditorId}` },
    {
      instance: instance.row,
      language,
      title,
      issuedOn,
      seller: drawn(seller),
      buyer: drawn(buyer),
      settlement: { number: settlement.number, from: settlement.from, to: settlement.to },
      currency: settlement.currency,
      invoice,
      isReverseCharge: isReverseCharge(invoice, issued),
      refersTo,
    },
  )
  return { bytes, mimeType: 'application/pdf', name: `${title} ${issuedOn}.pdf`, isPublic: false }
}
