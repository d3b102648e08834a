/** The kinds of file that a settlement is also answered as. */

export const SETTLEMENT_FILES = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  // The standard names none.
  sie: 'application/x-sie',
} as const
export type SettlementFile = keyof typeof SETTLEMENT_FILES
