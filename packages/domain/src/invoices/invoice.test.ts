import { describe, expect, test } from 'vitest'
import { addDays, date } from '../calendar.ts'
import {
  INVOICE_MOVES,
  INVOICE_STATUSES,
  INVOICE_TYPES,
  acceptsLogin,
  canBePaid,
  canHaveReceipt,
  canMove,
  canPayOnDueDate,
  dueDistance,
  isClosed,
  isOpen,
  type InvoiceMove,
  type InvoiceStatus,
} from './invoice.ts'

/** Written a second time, by state, so that a slip in the table itself is seen. */
const ALLOWED: Record<InvoiceStatus, readonly string[]> = {
  CREATED: ['approve>PENDING', 'cancel>ARCHIVED'],
  PENDING: ['cancel>ARCHIVED', 'distribute>ACTIVATED'],
  ACTIVATED: [
    'credited>ACTIVATED',
    'creditedInFull>CLOSED',
    'authorize>PENDING_AUTHORIZATION',
    'paidInPart>ACTIVATED',
    'paidInFull>CLOSED',
    'pause>PAUSED',
    'dispute>DISPUTED',
    'stop>STOPPED',
    'denyTaxReduction>ACTIVATED',
    'reverse>ACTIVATED',
    'letOffInPart>ACTIVATED',
    'waivedInFull>CLOSED',
    'writtenOff>STOPPED',
  ],
  PAUSED: [
    'credited>PAUSED',
    'creditedInFull>CLOSED',
    'authorize>PENDING_AUTHORIZATION',
    'paidInPart>PAUSED',
    'paidInFull>CLOSED',
    'resume>ACTIVATED',
    'dispute>DISPUTED',
    'stop>STOPPED',
    'denyTaxReduction>PAUSED',
    'reverse>PAUSED',
    'letOffInPart>PAUSED',
    'waivedInFull>CLOSED',
    'writtenOff>STOPPED',
  ],
  DISPUTED: [
    'credited>DISPUTED',
    'creditedInFull>CLOSED',
    'paidInPart>DISPUTED',
    'paidInFull>CLOSED',
    'stop>STOPPED',
    'rejectDispute>ACTIVATED',
    'upholdDispute>ACTIVATED',
    'upholdDispute>CLOSED',
    'denyTaxReduction>DISPUTED',
    'reverse>DISPUTED',
    'letOffInPart>DISPUTED',
    'waivedInFull>CLOSED',
    'writtenOff>STOPPED',
  ],
  PENDING_AUTHORIZATION: [
    'releaseAuthorization>ACTIVATED',
    'releaseAuthorization>PAUSED',
    'paidInPart>ACTIVATED',
    'paidInPart>PAUSED',
    'paidInPart>PENDING_AUTHORIZATION',
    'paidInFull>CLOSED',
    'letOffInPart>PENDING_AUTHORIZATION',
    'waivedInFull>CLOSED',
    'writtenOff>STOPPED',
  ],
  CLOSED: [
    'overpaid>CLOSED',
    'archive>ARCHIVED',
    'denyTaxReduction>ACTIVATED',
    'reverse>ACTIVATED',
    'reverse>CLOSED',
  ],
  STOPPED: [
    'paidInPart>STOPPED',
    'paidInFull>CLOSED',
    'archive>ARCHIVED',
    'reverse>STOPPED',
    'reverse>ACTIVATED',
    'letOffInPart>STOPPED',
    'writtenOff>STOPPED',
  ],
  ARCHIVED: [],
}

const MOVES = Object.keys(INVOICE_MOVES) as InvoiceMove[]

describe.each(INVOICE_STATUSES)('from %s', (from) => {
  test.each(MOVES)('%s goes exactly where it may', (move) => {
    const reached = INVOICE_STATUSES.filter((to) => canMove(move, from, to)).map((to) => `${move}>${to}`)
    expect(reached.sort()).toEqual(ALLOWED[from].filter((entry) => entry.startsWith(`${move}>`)).sort())
  })
})

test('nothing comes back from the archive, and nothing returns to the time before sending', () => {
  for (const pairs of Object.values(INVOICE_MOVES)) {
    for (const [from, to] of pairs) {
      expect(from).not.toBe('ARCHIVED')
      expect(to).not.toBe('CREATED')
      if (to === 'PENDING') expect(from).toBe('CREATED')
    }
  }
})

test('an invoice can be led from its creation through payment to the archive', () => {
  const reached = new Set<InvoiceStatus>(['CREATED'])
  for (let round = 0; round < INVOICE_STATUSES.length; round++) {
    for (const pairs of Object.values(INVOICE_MOVES)) {
      for (const [from, to] of pairs) if (reached.has(from)) reached.add(to)
    }
  }
  for (const status of ['PENDING', 'ACTIVATED', 'PENDING_AUTHORIZATION', 'CLOSED', 'ARCHIVED'] as const) {
    expect(reached).toContain(status)
  }
})

// Specification section 4 and domain rules: state, open, closed, seen at login.
test.each([
  ['CREATED', false, false, false],
  ['PENDING', false, false, false],
  ['ACTIVATED', true, false, true],
  ['PAUSED', true, false, true],
  ['DISPUTED', true, false, true],
  ['PENDING_AUTHORIZATION', false, false, true],
  ['CLOSED', false, true, true],
  ['STOPPED', false, true, true],
  ['ARCHIVED', false, false, false],
] as const)('%s: open %s, closed %s, answers the login %s', (status, open, closed, login) => {
  expect(isOpen(status)).toBe(open)
  expect(isClosed(status)).toBe(closed)
  expect(acceptsLogin(status, 84_200)).toBe(login)
  expect(acceptsLogin(status, 0)).toBe(login)
  expect(acceptsLogin(status, -1)).toBe(false)
})

test('only an open invoice that owes something, outside a plan and a claim, can be paid', () => {
  const owing = { balanceMinor: 1, isPartPayment: false, inClaim: false }
  for (const status of INVOICE_STATUSES) {
    expect(canBePaid({ ...owing, status })).toBe(['ACTIVATED', 'PAUSED', 'DISPUTED'].includes(status))
    expect(canBePaid({ ...owing, status, balanceMinor: 0 })).toBe(false)
    expect(canBePaid({ ...owing, status, balanceMinor: -1 })).toBe(false)
    expect(canBePaid({ ...owing, status, isPartPayment: true })).toBe(false)
    expect(canBePaid({ ...owing, status, inClaim: true })).toBe(false)
  }
})

test('a receipt is for a paid invoice of the plain type, once the money is settled', () => {
  for (const type of INVOICE_TYPES) {
    for (const status of INVOICE_STATUSES) {
      const expected = type === 'INVOICE' && !['PENDING_AUTHORIZATION', 'STOPPED'].includes(status)
      expect(canHaveReceipt({ type, status, balanceMinor: 0 })).toBe(expected)
      expect(canHaveReceipt({ type, status, balanceMinor: 1 })).toBe(false)
      expect(canHaveReceipt({ type, status, balanceMinor: -1 })).toBe(false)
      const isPaidPlan = expected && status === 'CLOSED'
      expect(canHaveReceipt({ type, status, balanceMinor: 0, isPartPayment: true })).toBe(isPaidPlan)
      expect(canHaveReceipt({ type, status, balanceMinor: 0, inClaim: true })).toBe(isPaidPlan)
    }
  }
})

describe('around the due date', () => {
  const today = date('2026-11-20')

  test.each([
    [30, 'in', 31],
    [2, 'in', 3],
    [1, 'in', 2],
    [0, 'in', 1],
    [-1, 'for', 1],
    [-2, 'for', 2],
    [-40, 'for', 40],
  ] as const)('%i days away is due "%s" %i days', (days, kind, shown) => {
    expect(dueDistance(addDays(today, days), today)).toEqual({ kind, days: shown })
  })

  test.each([
    [1, true],
    [0, false],
    [-1, false],
  ])('%i days away: may be paid on the due date %s', (days, onDueDate) => {
    expect(canPayOnDueDate(addDays(today, days), today)).toBe(onDueDate)
  })

  test('the change to winter time is no extra day', () => {
    expect(dueDistance(date('2026-10-26'), date('2026-10-24'))).toEqual({ kind: 'in', days: 3 })
    expect(dueDistance(date('2026-03-28'), date('2026-03-30'))).toEqual({ kind: 'for', days: 2 })
  })
})
