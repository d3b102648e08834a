/** The calls that write a creditor's invoices, beside the use cases that answer them. */
import * as draft from '@kvitt/domain/invoices/draft.contract.ts'
import { findOfficeInvoice } from '../invoices/invoices.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind, bindRow } from '../sign-in/bind.ts'
import { askedBy } from './act-once.ts'
import { approveDraft, createDraft, withdrawDraft } from './drafts.ts'

export const OFFICE_ACT_BINDINGS: readonly Binding[] = [
  bind(draft.createOfficeInvoice, ({ context, principal, request, body }) =>
    createDraft(context, principal, { body, asked: askedBy(request, 'create', body) }),
  ),
  bindRow(draft.withdrawOfficeInvoice, findOfficeInvoice, ({ context, principal, request, row }) =>
    withdrawDraft(context, principal, { row, asked: askedBy(request, 'withdraw', row.id) }),
  ),
  bindRow(draft.approveOfficeInvoice, findOfficeInvoice, ({ context, principal, request, row }) =>
    approveDraft(context, principal, { row, asked: askedBy(request, 'approve', row.id) }),
  ),
]
