/** The calls about what was paid to a creditor's debts. */
import { Refusal } from '@kvitt/domain/errors.ts'
import * as contract from '@kvitt/domain/payments/office-payment.contract.ts'
import type { Context } from '../../context.ts'
import type { Binding } from '../../platform/http/call.ts'
import { JsonText } from '../../platform/http/json.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'
import { readOfficePayment, searchPaymentRows } from './office-payments.queries.ts'

/** Refuses `not_found`: what was paid to another creditor does not exist. */
async function findOfficePayment({ db }: Context, principal: ClientPrincipal, id: string): Promise<JsonText> {
  const json = await readOfficePayment(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return new JsonText(json)
}

export const OFFICE_PAYMENT_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficePayments, ({ context, principal, query, body }) =>
    searchPaymentRows(context, principal, query, body),
  ),
  bindRow(contract.getOfficePayment, findOfficePayment, async ({ row }) => row),
]
