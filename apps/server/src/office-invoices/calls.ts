/** The calls that write a creditor's invoices, beside the use cases that answer them. */
import * as draft from '@kvitt/domain/invoices/draft.contract.ts'
import * as detail from '@kvitt/domain/invoices/office-invoice-detail.contract.ts'
import * as act from '@kvitt/domain/invoices/invoice-acts.contract.ts'
import { openAct, type ActRequest, type OfficeAct } from '../acts/acts.ts'
import type { Context } from '../context.ts'
import { listDocumentsForStaff } from '../documents/documents.ts'
import { findOfficeInvoice, type OfficeInvoiceKey } from '../invoices/invoices.ts'
import { listMessages } from '../mail/mail.ts'
import type { Binding } from '../platform/http/call.ts'
import { languageFrom } from '../platform/texts.ts'
import { bind, bindRow } from '../sign-in/bind.ts'
import { askedBy, type ClientPrincipal } from '../staff/staff.ts'
import { bucketOf, textOf } from './act-body.ts'
import { credit } from './credit.ts'
import { explain, listActs, listRows, listStory, lookAhead } from './details.ts'
import { dayAhead, decideAct, stop, toCollection, type Act } from './decide.ts'
import { enterDirectPayment } from './direct-payment.ts'
import { approveDraft, createDraft, withdrawDraft } from './drafts.ts'
import { moreTime } from './more-time.ts'
import { writeOff } from './write-off.ts'

type RowCall = {
  readonly context: Context
  readonly principal: ClientPrincipal
  readonly request: ActRequest
  readonly row: OfficeInvoiceKey
  readonly body?: unknown
}

/** A call as an act on its invoice, by its name. */
const actOf = (name: string, { context, principal, request, row, body }: RowCall): Act => ({
  context,
  principal,
  row,
  asked: askedBy(request, name, row.id, body),
})

/** What is done with one invoice: at once, later, or with many. */
export const OFFICE_INVOICE_ACTS: readonly OfficeAct[] = [
  openAct(draft.approveOfficeInvoice, findOfficeInvoice, (call) => approveDraft(actOf('approve', call))),
  openAct(act.creditInvoice, findOfficeInvoice, (call) => credit(actOf('credit', call), call.body)),
  openAct(act.waiveOnInvoice, findOfficeInvoice, (call) => {
    const { amount, reason, ...which } = call.body
    const decision = { act: 'waive', bucket: bucketOf(which), amount: textOf(amount) } as const
    return decideAct(actOf('waive', call), { decision, reason })
  }),
  openAct(act.pauseInvoice, findOfficeInvoice, (call) => {
    const pause = actOf('pause', call)
    const { until, reason } = call.body
    return decideAct(pause, { decision: () => ({ act: 'pause', until: dayAhead(pause, until) }), reason })
  }),
  openAct(act.resumeInvoice, findOfficeInvoice, (call) =>
    decideAct(actOf('resume', call), {
      decision: { act: 'resume' },
      reason: call.body?.reason?.trim() || 'resumed',
    }),
  ),
  openAct(act.giveMoreTime, findOfficeInvoice, (call) => moreTime(actOf('more-time', call), call.body)),
  openAct(act.sendToCollection, findOfficeInvoice, (call) =>
    toCollection(actOf('to-collection', call), call.body.ground),
  ),
  openAct(act.enterDirectPayment, findOfficeInvoice, (call) =>
    enterDirectPayment(actOf('direct-payment', call), call.body),
  ),
  openAct(act.denyTaxReduction, findOfficeInvoice, (call) => {
    const { amount, decision, note } = call.body
    const deny = {
      act: 'deny-tax-reduction',
      amount: textOf(amount) ?? '',
      decision: decision.trim(),
    } as const
    return decideAct(actOf('deny-tax-reduction', call), {
      decision: deny,
      reason: note?.trim() || decision.trim(),
    })
  }),
  openAct(act.stopInvoice, findOfficeInvoice, (call) => stop(actOf('stop', call), call.body)),
  openAct(act.writeOffInvoice, findOfficeInvoice, (call) =>
    writeOff(
      { ...actOf('write-off', call), debt: { kind: 'invoice', id: call.row.id } },
      { amount: textOf(call.body.amount), reason: call.body.reason },
    ),
  ),
]

export const OFFICE_ACT_BINDINGS: readonly Binding[] = [
  bindRow(detail.listOfficeInvoiceRows, findOfficeInvoice, ({ context, row }) => listRows(context, row)),
  bindRow(detail.getOfficeInvoiceEvents, findOfficeInvoice, ({ context, row }) => listStory(context, row)),
  bindRow(detail.getOfficeInvoiceOutlook, findOfficeInvoice, ({ context, principal, row }) =>
    lookAhead(context, principal, row),
  ),
  bindRow(detail.listOfficeInvoiceDocuments, findOfficeInvoice, ({ context, principal, row }) =>
    listDocumentsForStaff(context, principal, row.id),
  ),
  bindRow(detail.listOfficeInvoiceMessages, findOfficeInvoice, ({ context, principal, request, row }) =>
    listMessages(context.db, {
      instanceId: row.instance_id,
      debt: { invoiceId: row.id },
      language: languageFrom(request.headers['accept-language'], principal.instance.language),
    }),
  ),
  bindRow(detail.explainOfficeInvoice, findOfficeInvoice, ({ context, row }) => explain(context, row)),
  bindRow(detail.listOfficeInvoiceActs, findOfficeInvoice, ({ context, principal, request, row }) =>
    listActs(context, principal, {
      row,
      language: languageFrom(request.headers['accept-language'], principal.instance.language),
    }),
  ),
  bind(draft.createOfficeInvoice, ({ context, principal, request, body }) =>
    createDraft(context, principal, { body, asked: askedBy(request, 'create', body) }),
  ),
  bindRow(draft.withdrawOfficeInvoice, findOfficeInvoice, (call) => withdrawDraft(actOf('withdraw', call))),
  ...OFFICE_INVOICE_ACTS.map(({ binding }) => binding),
]
