/** The calls about what a creditor is paid out. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount } from '@kvitt/domain/money.ts'
import { entryKind } from '@kvitt/domain/settlements/count-settlement.ts'
import * as plan from '@kvitt/domain/settlements/account-plan.contract.ts'
import { getVatInvoice } from '@kvitt/domain/settlements/vat-invoice.contract.ts'
import * as contract from '@kvitt/domain/settlements/office-settlement.contract.ts'
import { LINE_PARTS } from '@kvitt/domain/settlements/settlement.ts'
import { SETTLEMENT_FILES } from '@kvitt/domain/settlements/settlement-file.ts'
import type { Context } from '../context.ts'
import { AsFile, type Binding } from '../platform/http/call.ts'
import { bind, bindRow } from '../sign-in/bind.ts'
import { formatAccepted, listOrFile, type OfficeTable } from '../staff/office-export.ts'
import type { ClientPrincipal } from '../staff/staff.ts'
import {
  readLines,
  readSettlement,
  searchSettlementRows,
  type SettlementLineRow,
  type SettlementRow,
} from './office.queries.ts'
import { chooseAccountPlan, presentAccountPlan } from './account-plans.ts'
import { fileOfSettlement } from './settlement-files.ts'
import { fileOfVatInvoice, presentVatInvoice } from './vat-invoices.ts'

/** What a file of the list has. */
const TABLE: OfficeTable = {
  title: 'export.settlements',
  columns: [
    { label: 'export.number', path: 'number', share: 8 },
    { label: 'export.from', path: 'period.from', share: 12 },
    { label: 'export.to', path: 'period.to', share: 12 },
    { label: 'document.status', path: 'status', texts: 'settlement_status.', share: 14 },
    { label: 'document.currency', path: 'currency', share: 6 },
    { label: 'export.collected', path: 'collected', currency: 'currency', share: 10 },
    { label: 'export.fees', path: 'fees', currency: 'currency', share: 9 },
    { label: 'export.vat', path: 'vat', currency: 'currency', share: 9 },
    { label: 'export.corrections', path: 'corrections', currency: 'currency', share: 10 },
    { label: 'export.paid_out', path: 'paidOut', currency: 'currency', share: 10 },
  ],
}

/** Refuses `not_found`: another creditor's does not exist. */
async function findSettlement({ db }: Pick<Context, 'db'>, principal: ClientPrincipal, id: string) {
  const row = await readSettlement(db, principal, id)
  if (!row) throw new Refusal('not_found')
  return row
}

async function presentSettlement(
  { db }: Pick<Context, 'db'>,
  { instance }: ClientPrincipal,
  row: SettlementRow,
) {
  const { from, to, collectedMinor, feesMinor, vatMinor, correctionsMinor, paidOutMinor, ...settlement } = row
  const lines = await readLines(db, instance.id, row.id)
  return {
    ...settlement,
    period: { from, to },
    collected: new Amount(collectedMinor),
    fees: new Amount(feesMinor),
    vat: new Amount(vatMinor),
    corrections: new Amount(correctionsMinor),
    paidOut: new Amount(paidOutMinor),
    lines: lines.map((line) => ({ ...presentLine(line), currency: row.currency })),
  }
}

/** What came, and what is taken off, is positive. */
function presentLine(line: SettlementLineRow) {
  const { date, isLate, minor, baseMinor, rateBp, subjectId, subjectNumber, isClaim } = line
  const kind = line.cause === null ? line.kind : entryKind(line.kind, line.cause)
  const isTakenOff = line.cause !== null && LINE_PARTS[kind] === 'corrections'
  const type = isClaim ? ('collection-batches' as const) : ('invoices' as const)
  return {
    kind,
    date,
    isLate,
    amount: new Amount(isTakenOff ? 0 - minor : minor),
    base: baseMinor === null ? null : new Amount(baseMinor),
    percent: rateBp === null ? null : rateBp / 100,
    subject: subjectId === null ? null : { type, id: subjectId, number: subjectNumber ?? '' },
  }
}

export const SETTLEMENT_BINDINGS: readonly Binding[] = [
  bind(plan.getAccountPlan, ({ context, principal }) => presentAccountPlan(context, principal)),
  bind(plan.chooseAccountPlan, async ({ context, principal, body }) => {
    await chooseAccountPlan(context, principal, body)
    return presentAccountPlan(context, principal)
  }),
  bind(contract.searchOfficeSettlements, (call) => listOrFile(call, searchSettlementRows, TABLE)),
  bindRow(contract.getOfficeSettlement, findSettlement, async ({ row, ...call }) => {
    const format = formatAccepted(call.request.headers.accept, SETTLEMENT_FILES)
    return format === undefined
      ? presentSettlement(call.context, call.principal, row)
      : new AsFile(await fileOfSettlement(call, row, format))
  }),
  bindRow(getVatInvoice, findSettlement, async ({ row, ...call }) =>
    formatAccepted(call.request.headers.accept, { pdf: SETTLEMENT_FILES.pdf }) === undefined
      ? presentVatInvoice(call.context, call.principal, row)
      : new AsFile(await fileOfVatInvoice(call, row)),
  ),
]
