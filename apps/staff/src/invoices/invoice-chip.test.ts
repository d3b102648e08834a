import { expect, test } from 'vitest'
import type { Invoice } from './invoice-calls.ts'
import { lookOf } from './invoice-chip.tsx'

type Status = Invoice['statuses']['main']

const invoice = (main: Status, wishes: Partial<Invoice> = {}): Invoice =>
  ({
    statuses: { main },
    type: 'INVOICE',
    isPartPayment: false,
    collectionBatch: null,
    dates: { expireDate: '2026-11-30', today: '2026-11-20' },
    balances: { total: 100 },
    ...wishes,
  }) as Invoice

const LATE = { dates: { expireDate: '2026-11-19', today: '2026-11-20' } } as Invoice
const ON_CLAIM = { collectionBatch: { id: '1', collectionBatchNumber: '7' } }

test.each<[string, Invoice, string]>([
  ['open', invoice('ACTIVATED'), 'open'],
  ['due today', invoice('ACTIVATED', { dates: { ...LATE.dates, expireDate: '2026-11-20' } }), 'open'],
  ['late', invoice('ACTIVATED', LATE), 'late'],
  ['late and owing nothing', invoice('ACTIVATED', { ...LATE, balances: { total: 0 } as never }), 'open'],
  ['late and in a plan', invoice('ACTIVATED', { ...LATE, isPartPayment: true }), 'plan'],
  ['on a claim', invoice('ACTIVATED', ON_CLAIM), 'collection'],
  ['on a claim, and closed with it', invoice('CLOSED', ON_CLAIM), 'closed'],
  ['disputed and late', invoice('DISPUTED', LATE), 'disputed'],
  ['a credit note', invoice('ACTIVATED', { type: 'CREDIT_INVOICE' }), 'credit_note'],
  ['a draft', invoice('CREATED', LATE), 'draft'],
])('%s', (_what, given, word) => {
  expect(lookOf(given).text).toBe(`invoice.status.${word}`)
})
