/** Which call is meant where, by its contract. What is wrong does not compile. */
import { expect, expectTypeOf, test } from 'vitest'
import type { CallAbout, DebtTail, PlainCall, PlainPath, QueryFor, RefusalTo, TailOf } from './calls.ts'
import type { AnswerOf, SentBody } from './contract.ts'
import type { ClaimAnswer } from './claims/claim.contract.ts'
import type { InvoiceAnswer } from './invoices/invoice.contract.ts'
import type { PaymentAnswer } from './payments/payment.contract.ts'

test('an answer is the contract’s, by method, subject and tail', () => {
  expectTypeOf<AnswerOf<CallAbout<'invoices', 'GET', ''>>>().toEqualTypeOf<InvoiceAnswer>()
  expectTypeOf<AnswerOf<CallAbout<'collection-batches', 'GET', ''>>>().toEqualTypeOf<ClaimAnswer>()
  expectTypeOf<AnswerOf<CallAbout<'invoices', 'PUT', '/payment-requests/status'>>>().toEqualTypeOf<
    PaymentAnswer[]
  >()
  expectTypeOf<AnswerOf<PlainCall<'GET', '/ping/version'>>>().toEqualTypeOf<{ data: { version: string } }>()
  expectTypeOf<AnswerOf<PlainCall<'GET', '/debtor/session'>>>().toHaveProperty('endsAt')
})

test('a path, a method, an input or a refusal that no contract has does not compile', () => {
  // @ts-expect-error no call stands there
  const path: PlainPath<'GET'> = '/ping/versions'
  // @ts-expect-error it is asked with POST
  const method: PlainPath<'GET'> = '/public/challenges'
  // @ts-expect-error behind the debtor's door
  const door: PlainPath<'GET'> = '/session'
  // @ts-expect-error only an invoice has a receipt
  const tail: TailOf<'collection-batches', 'PUT'> = '/payment-receipt'
  // @ts-expect-error an invoice's plan is started with PUT, a claim's with POST: there is no call for both
  const shared: DebtTail<'PUT'> = '/part-payment/start'
  // @ts-expect-error the reference is a text
  const body: SentBody<PlainCall<'POST', '/public/challenges'>> = { paymentReference: 1 }
  // @ts-expect-error only CSV, PDF and XLSX
  const query: QueryFor<CallAbout<'invoices', 'POST', '/ledger/download'>> = { format: 'doc' }
  // @ts-expect-error a dispute is never refused with it
  const refusal: RefusalTo<CallAbout<'invoices', 'POST', '/dispute'>> = 'plan_changed'
  expect([path, method, door, tail, shared, body, query, refusal]).toHaveLength(8)
})
