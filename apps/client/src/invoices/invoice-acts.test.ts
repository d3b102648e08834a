import { RIGHTS_OF_CREDITOR } from '@kvitt/domain/staff/roles.ts'
import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import { actsFor, bodyOf, formOf, type InvoiceAct } from './invoice-acts.ts'
import type { Invoice } from './invoice-calls.ts'

const invoice = (main: Invoice['statuses']['main'], wishes: object = {}): Invoice =>
  ({
    invoiceNumber: '261111',
    statuses: { main },
    type: 'INVOICE',
    collectionBatch: null,
    dates: { today: '2026-11-20', expireDate: '2026-11-19' },
    balances: { total: 1310, principal: 1250, costs: 60, interest: 0 },
    totals: { totalToPay: 1250 },
    currency: { invoiceCurrency: 'SEK' },
    debtor: { name: 'Alva' },
    ...wishes,
  }) as Invoice

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

const { viewer, clerk, manager } = RIGHTS_OF_CREDITOR
const OPEN = ['pause', 'more-time', 'credit', 'direct-payment', 'waive']

test('a viewer may do nothing, and only a manager stops and writes off', () => {
  for (const status of ['CREATED', 'ACTIVATED', 'PAUSED', 'CLOSED'] as const) {
    expect(actsFor(invoice(status), viewer)).toEqual([])
  }
  expect(actsFor(invoice('ACTIVATED'), clerk)).toEqual(OPEN)
  expect(actsFor(invoice('ACTIVATED'), manager)).toEqual([...OPEN, 'stop', 'write-off'])
})

test.each([
  ['a draft', invoice('CREATED'), ['approve', 'remove']],
  ['one that waits to be sent', invoice('PENDING'), ['remove']],
  ['a paused one', invoice('PAUSED'), ['resume', 'more-time', 'credit', 'direct-payment', 'waive']],
  ['a closed one', invoice('CLOSED'), ['credit']],
  ['a credit note', invoice('ACTIVATED', { type: 'CREDIT_INVOICE', balances: { total: -250 } }), []],
  ['one on a claim', invoice('ACTIVATED', { collectionBatch: { id: '7' } }), ['credit']],
  [
    'one that owes nothing',
    invoice('ACTIVATED', { balances: { total: 0, costs: 0, interest: 0 } }),
    ['credit'],
  ],
  ['a removed one', invoice('ARCHIVED'), []],
])('what a clerk may do with %s', (_what, given, acts) => {
  expect(actsFor(given, clerk)).toEqual(acts)
})

test.each([
  ['pause', { until: '2026-12-04', reason: ' Asked ' }, { until: '2026-12-04', reason: 'Asked' }],
  ['credit', { amount: '', reason: 'Wrong' }, { reason: 'Wrong' }],
  ['credit', { amount: '1 000,50', reason: 'Wrong' }, { amount: '1000.50', reason: 'Wrong' }],
  ['waive', { what: 'costs', amount: '', reason: 'Late letter' }, { costs: true, reason: 'Late letter' }],
  ['waive', { what: 'interest', amount: '5', reason: 'x' }, { interest: true, amount: '5', reason: 'x' }],
  [
    'direct-payment',
    { amount: '1310,00', date: '2026-11-20', note: '' },
    { amount: '1310.00', date: '2026-11-20' },
  ],
  ['stop', { reason: 'OTHER', note: 'Moved' }, { reason: 'OTHER', note: 'Moved' }],
  ['approve', {}, {}],
] as const)('the body of %s', (act, values, body) => {
  expect(bodyOf(act, values)).toEqual(body)
})

test('amounts and days out of reach are stopped at the field', () => {
  const check = (act: InvoiceAct, name: string, value: string) =>
    formOf(act, invoice('ACTIVATED'))
      .fields.find((field) => field.name === name)
      ?.check?.(value)
  expect(check('direct-payment', 'amount', '1310,00')).toBeUndefined()
  expect(check('direct-payment', 'amount', '1310,01')).toBeDefined()
  expect(check('direct-payment', 'amount', '0')).toBeDefined()
  expect(check('direct-payment', 'date', '2026-11-20')).toBeUndefined()
  expect(check('direct-payment', 'date', '2026-11-21')).toBeDefined()
  expect(check('pause', 'until', '2026-11-20')).toBeDefined()
  expect(check('pause', 'until', '2026-11-21')).toBeUndefined()
})
