/** The calls that do one act with many invoices or claims. */
import * as many from '@kvitt/domain/acts/bulk.contract.ts'
import * as claim from '@kvitt/domain/claims/claim-acts.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { saysSomething } from '@kvitt/domain/form/says-something.ts'
import * as draft from '@kvitt/domain/invoices/draft.contract.ts'
import * as invoice from '@kvitt/domain/invoices/invoice-acts.contract.ts'
import { actOf, bindMany, bindSum } from '../acts/acts.ts'
import { officeClaimSet } from '../claims/office/office-claims.ts'
import { officeInvoiceSet } from '../invoices/invoices.ts'
import type { Binding } from '../platform/http/call.ts'
import { bucketOf } from './act-body.ts'
import { OFFICE_INVOICE_ACTS } from './calls.ts'
import { OFFICE_CLAIM_ACTS } from './claim-calls.ts'
import { dayAhead, type Deciding } from './decide.ts'

type Wish = Readonly<Record<string, unknown>>

/** Refuses what no row could be done with: a reason that says nothing, a day out of reach. */
function check(asking: Pick<Deciding, 'context' | 'principal'>, { reason, ground, until }: Wish): void {
  for (const [field, words] of Object.entries({ reason, ground }))
    if (typeof words === 'string' && !saysSomething(words)) throw new Refusal('why_required', {}, [field])
  if (typeof until === 'string') dayAhead(asking, until)
}

const invoices = { set: officeInvoiceSet, check }
const claims = { set: officeClaimSet, check }

export const OFFICE_MANY_BINDINGS: readonly Binding[] = [
  bindSum(many.sumInvoices, officeInvoiceSet),
  bindSum(many.sumClaims, officeClaimSet),
  bindMany(many.approveInvoices, actOf(OFFICE_INVOICE_ACTS, draft.approveOfficeInvoice), invoices),
  bindMany(many.pauseInvoices, actOf(OFFICE_INVOICE_ACTS, invoice.pauseInvoice), invoices),
  // Nobody has to say why something goes on.
  bindMany(many.resumeInvoices, actOf(OFFICE_INVOICE_ACTS, invoice.resumeInvoice), { set: officeInvoiceSet }),
  bindMany(many.creditInvoices, actOf(OFFICE_INVOICE_ACTS, invoice.creditInvoice), invoices),
  bindMany(many.sendInvoicesToCollection, actOf(OFFICE_INVOICE_ACTS, invoice.sendToCollection), invoices),
  bindMany(many.waiveOnInvoices, actOf(OFFICE_INVOICE_ACTS, invoice.waiveOnInvoice), {
    set: officeInvoiceSet,
    check: (asking, wish) => {
      check(asking, wish)
      bucketOf(wish)
    },
  }),
  bindMany(many.stopInvoices, actOf(OFFICE_INVOICE_ACTS, invoice.stopInvoice), invoices),
  bindMany(many.writeOffInvoices, actOf(OFFICE_INVOICE_ACTS, invoice.writeOffInvoice), invoices),
  bindMany(many.pauseClaims, actOf(OFFICE_CLAIM_ACTS, claim.pauseClaim), claims),
  bindMany(many.resumeClaims, actOf(OFFICE_CLAIM_ACTS, claim.resumeClaim), { set: officeClaimSet }),
  bindMany(many.stopClaims, actOf(OFFICE_CLAIM_ACTS, claim.stopClaim), claims),
  bindMany(many.writeOffClaims, actOf(OFFICE_CLAIM_ACTS, claim.writeOffClaim), claims),
]
