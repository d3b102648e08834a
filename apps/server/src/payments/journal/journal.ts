/**
 * What is asked of gateways is written down beside the database first: a database that is put back to a moment before knows nothing of it,
 * and the gateway does (decision 050).
 */
import type { JournalLine, MadeLine, PaymentLine } from '@kvitt/domain/payments/journal-line.ts'
import type { Config } from '../../../config/config.ts'
import type { Context } from '../../context.ts'
import { openLineJournal, type LineJournal } from '../../platform/store/line-journal.ts'
import { openStore } from '../../platform/store/open-store.ts'
import type { Created, Gateway } from '../gateways/gateway.ts'
import type { PaymentRow } from '../payments.queries.ts'
import { forgetUnknownCallbacks } from './journal.queries.ts'

export type PaymentJournal = Pick<LineJournal, 'waiting' | 'close'> & {
  /** Before a gateway is asked for something. Returns when the line is written, or after a second; never throws. */
  note(line: JournalLine): Promise<void>
}

declare module '../../context.ts' {
  interface Context {
    readonly journal: PaymentJournal
  }
}

export function openJournal(config: Config, parts: Pick<Context, 'clock' | 'log'>): PaymentJournal {
  return openLineJournal(openStore(config.stores.journal), parts)
}

export function lineOfPayment(payment: PaymentRow, gateway: Gateway): PaymentLine {
  return {
    kind: 'payment',
    instance: payment.instance_id,
    id: payment.id,
    invoice: payment.invoice_id,
    claim: payment.claim_id,
    gateway: payment.gateway,
    gatewayId: gateway.idOf?.(payment.id) ?? null,
    option: payment.option,
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    executionDate: payment.execution_date,
    payee: { name: payment.payee_name, account: payment.payee_account, scheme: payment.payee_scheme },
    reference: payment.payment_reference,
    callbackSecret: payment.callback_secret,
    callbackIdentifier: payment.callback_identifier,
    idempotencyKey: payment.idempotency_key,
    requestHash: payment.request_hash.toString('hex'),
    isPushed: payment.is_pushed,
    createdAt: payment.created_at,
  }
}

export function lineOfMade(
  { instance_id: instance, id }: Pick<PaymentRow, 'instance_id' | 'id'>,
  { gatewayPaymentId, externalLink }: Created,
): MadeLine {
  return { kind: 'made', instance, id, gatewayId: gatewayPaymentId, link: externalLink }
}

/** Callbacks that nobody knew go when the journal does that could have named them. */
export function forgetOldCallbacks({ db }: Pick<Context, 'db'>): Promise<void> {
  return forgetUnknownCallbacks(db)
}
