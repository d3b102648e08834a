/** Settings of tests that begin a debt's payment more often within a minute than a payer may. */
export const MANY_STARTS = { PAYMENT_STARTS_PER_MINUTE: '999999', PAYMENT_STARTS_PER_DAY: '999999' } as const
