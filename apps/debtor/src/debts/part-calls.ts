/** What the page of an invoice or a claim reads besides the debt itself. Apart from calls.ts, which every visitor loads. */
import type {
  ClientAnswer,
  DocumentAnswer,
  EventAnswer,
  FinancialEventAnswer,
} from '@kvitt/domain/invoices/invoice.contract.ts'
import type { PaymentAnswer, PaymentMethodAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, debtPath, keyed, readPart } from '../calls.ts'
import type { DebtKey, InvoiceKey } from '../session.ts'

export const clientQuery = (key: DebtKey) => readPart<ClientAnswer>(key, 'client', '/client')
export const documentsQuery = (key: InvoiceKey) => readPart<DocumentAnswer[]>(key, 'documents', '/documents')
export const methodsQuery = (key: DebtKey) =>
  readPart<readonly (PaymentMethodAnswer | PaymentMethodAnswer['code'])[]>(key, 'methods', '/payment-methods')
export const eventsQuery = (key: DebtKey) =>
  readPart<EventAnswer[]>(key, 'events', '/events', { limit: '-1' })

export const financialEventsQuery = (key: DebtKey) =>
  readPart<FinancialEventAnswer[]>(key, 'financial', '/events/financial', { limit: '-1' })

/** The payments, after the bank has been asked about everything that is not final; if that fails, as we know them. */
export const refreshedPaymentsQuery = (key: DebtKey) =>
  queryOptions({
    queryKey: keyed(key, 'payments'),
    queryFn: async ({ signal }) => {
      const ask = (tail: string, method: 'GET' | 'PUT') =>
        api.ask<PaymentAnswer[]>({ path: debtPath(key, tail), method, signal, handleLocally: true })
      try {
        return await ask('/payment-requests/status', 'PUT')
      } catch (error) {
        // What our own books say is enough to see that a payment is on its way.
        if (signal.aborted || (error instanceof ApiRefusal && error.status < 500)) throw error
        return await ask('/payment-requests', 'GET')
      }
    },
    // Asked for as the page begins, and again by whoever comes back to it.
    staleTime: 2000,
    refetchOnWindowFocus: false,
  })
