/** The calls about a creditor's disputes, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/disputes/office-dispute.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import {
  decideOffice,
  findOfficeDispute,
  presentOfficeDispute,
  searchOfficeDisputes,
} from './office-disputes.ts'

export const OFFICE_DISPUTE_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficeDisputes, ({ context, principal, query, body }) =>
    searchOfficeDisputes(context, principal, query, body),
  ),
  bindRow(contract.getOfficeDispute, findOfficeDispute, ({ context, principal, row }) =>
    presentOfficeDispute(context, principal, row),
  ),
  bindRow(contract.decideOfficeDispute, findOfficeDispute, ({ context, principal, row, body, request }) =>
    decideOffice(context, principal, row, {
      wish: body,
      hasKey: request.headers['idempotency-key'] !== undefined,
    }),
  ),
]
