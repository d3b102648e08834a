/** Money on its way to a creditor's debts, or there, as the creditor's staff sees it. */
import { PAYMENT_STATUSES } from './payment.ts'

/** REVERSED: it was booked and has been taken back. */
export const OFFICE_PAYMENT_STATUSES = [...PAYMENT_STATUSES, 'REVERSED'] as const

/** GATEWAY: started in a portal. BANK: told of by a bank's file. DIRECT: the creditor has told of it. */
export const PAYMENT_WAYS = ['GATEWAY', 'BANK', 'DIRECT'] as const
