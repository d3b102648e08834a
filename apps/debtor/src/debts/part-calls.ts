/** What the page of an invoice or a claim reads. Apart from calls.ts, which every visitor loads. */
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, debtCall, keyed, readClaim, readDebt, readInvoice } from '../calls.ts'
import { isPeeking, type DebtKey, type InvoiceKey } from '../session.ts'

export const clientQuery = (key: DebtKey) => readDebt(key, 'client', '/client')
export const documentsQuery = (key: InvoiceKey) => readInvoice(key, 'documents', '/documents')
export const methodsQuery = (key: DebtKey) => readDebt(key, 'methods', '/payment-methods')
export const eventsQuery = (key: DebtKey) => readDebt(key, 'events', '/events', { limit: '-1' })

export const financialEventsQuery = (key: DebtKey) =>
  readDebt(key, 'financial', '/events/financial', { limit: '-1' })

/** Where a transfer is to go. */
export const accountQuery = (key: DebtKey) => readDebt(key, 'account', '/payment-account')
export const planOptionsQuery = (key: DebtKey) => readDebt(key, 'plan-options', '/part-payment/options')
export const planQuery = (key: DebtKey) => readDebt(key, 'plan', '/part-payment')

/** A claim; also its login lookup: the caller shows every failure. */
export const claimQuery = (key: DebtKey) => readClaim(key, 'claim', '')
export const claimInvoicesQuery = (key: DebtKey) => readClaim(key, 'claim-invoices', '/invoices')

/** The payments, after the bank has been asked about everything that is not final; if that fails, as we know them. */
export const refreshedPaymentsQuery = (key: DebtKey) =>
  queryOptions({
    queryKey: keyed(key, 'payments'),
    queryFn: async ({ signal }) => {
      // To ask the bank is to change what it says: one of the staff who only looks sees what the books say.
      if (isPeeking()) return await api.ask(debtCall('GET', key, '/payment-requests'), { signal })
      try {
        return await api.ask(debtCall('PUT', key, '/payment-requests/status'), { signal })
      } catch (error) {
        // What our own books say is enough to see that a payment is on its way.
        if (signal.aborted || (error instanceof ApiRefusal && error.status < 500)) throw error
        return await api.ask(debtCall('GET', key, '/payment-requests'), { signal })
      }
    },
    // Asked for as the page begins, and again by whoever comes back to it.
    staleTime: 2000,
    refetchOnWindowFocus: false,
  })
