/**
 * An order of electronic identification: from its start at the identity provider until somebody is known, or not.
 * The codes of hints and of the messages for them are BankID's own.
 */

/** How the debtor reaches the app: it reads a code from this screen, or is opened on this device. */
export const LOGIN_WAYS = ['QR_CODE', 'AUTO_START'] as const
export type LoginWay = (typeof LOGIN_WAYS)[number]

export const ORDER_STATUSES = ['STARTING', 'PENDING', 'COMPLETE', 'FAILED', 'CANCELLED'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** Where an order may go. Each of the last three is an end: what comes later changes nothing. */
export const ORDER_MOVES: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  STARTING: ['PENDING', 'FAILED'],
  PENDING: ['COMPLETE', 'FAILED', 'CANCELLED'],
  COMPLETE: [],
  FAILED: [],
  CANCELLED: [],
}

export const MESSAGE_CODES = [
  'RFA1',
  'RFA3',
  'RFA6',
  'RFA8',
  'RFA9',
  'RFA13',
  'RFA15A',
  'RFA16',
  'RFA17A',
  'RFA17B',
  'RFA21',
  'RFA22',
] as const
export type MessageCode = (typeof MESSAGE_CODES)[number]

/** Specification section 8. BankID itself tells computer and phone apart for `started`; the table does not. */
const PENDING_MESSAGES = new Map<string, MessageCode>([
  ['outstandingTransaction', 'RFA13'],
  ['noClient', 'RFA1'],
  ['started', 'RFA15A'],
  ['userSign', 'RFA9'],
])
const FAILURE_MESSAGES = new Map<string, MessageCode>([
  ['expiredTransaction', 'RFA8'],
  ['certificateErr', 'RFA16'],
  ['userCancel', 'RFA6'],
  ['cancelled', 'RFA3'],
])

/** What to tell the debtor. Hints that nobody knows yet have a message, too. */
export function messageCodeOf(
  status: 'pending' | 'failed',
  hintCode: string | null,
  way: LoginWay,
): MessageCode {
  if (status === 'pending') return PENDING_MESSAGES.get(hintCode ?? '') ?? 'RFA21'
  if (hintCode === 'startFailed') return way === 'AUTO_START' ? 'RFA17A' : 'RFA17B'
  return FAILURE_MESSAGES.get(hintCode ?? '') ?? 'RFA22'
}

/** Is the code on the screen still to be read? Once the app has it, showing it on would only invite others. */
export function isCodeShown(way: LoginWay, hintCode: string | null): boolean {
  return way === 'QR_CODE' && (hintCode === null || hintCode === 'outstandingTransaction')
}
