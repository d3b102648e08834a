import { describe, expect, test } from 'vitest'
import {
  isCodeShown,
  LOGIN_WAYS,
  messageCodeOf,
  MESSAGE_CODES,
  ORDER_MOVES,
  ORDER_STATUSES,
} from './order.ts'

describe('messages', () => {
  test.each([
    ['pending', 'outstandingTransaction', 'RFA13', 'RFA13'],
    ['pending', 'noClient', 'RFA1', 'RFA1'],
    ['pending', 'started', 'RFA15A', 'RFA15A'],
    ['pending', 'userSign', 'RFA9', 'RFA9'],
    ['pending', 'userMrtd', 'RFA21', 'RFA21'],
    ['pending', 'processing', 'RFA21', 'RFA21'],
    ['pending', 'somethingNew', 'RFA21', 'RFA21'],
    ['pending', null, 'RFA21', 'RFA21'],
    ['failed', 'expiredTransaction', 'RFA8', 'RFA8'],
    ['failed', 'certificateErr', 'RFA16', 'RFA16'],
    ['failed', 'userCancel', 'RFA6', 'RFA6'],
    ['failed', 'cancelled', 'RFA3', 'RFA3'],
    ['failed', 'startFailed', 'RFA17A', 'RFA17B'],
    ['failed', 'transactionRiskBlocked', 'RFA22', 'RFA22'],
    ['failed', 'notSupportedByUserApp', 'RFA22', 'RFA22'],
    ['failed', 'somethingNew', 'RFA22', 'RFA22'],
    ['failed', 'constructor', 'RFA22', 'RFA22'],
    ['failed', null, 'RFA22', 'RFA22'],
    // A hint of the other kind is one that this kind does not know.
    ['failed', 'userSign', 'RFA22', 'RFA22'],
    ['pending', 'userCancel', 'RFA21', 'RFA21'],
  ] as const)('%s %s: app %s, code %s', (status, hint, app, code) => {
    expect([messageCodeOf(status, hint, 'AUTO_START'), messageCodeOf(status, hint, 'QR_CODE')]).toEqual([
      app,
      code,
    ])
  })

  test('every code can be told', () => {
    const hints = [
      'outstandingTransaction',
      'noClient',
      'started',
      'userSign',
      'expiredTransaction',
      'certificateErr',
    ]
    const told = [...hints, 'userCancel', 'cancelled', 'startFailed', 'x'].flatMap((hint) =>
      LOGIN_WAYS.flatMap((way) => [messageCodeOf('pending', hint, way), messageCodeOf('failed', hint, way)]),
    )
    expect(new Set(told)).toEqual(new Set(MESSAGE_CODES))
  })
})

test('the code is shown until the app has it, and never to an app that is opened here', () => {
  expect(isCodeShown('QR_CODE', null)).toBe(true)
  expect(isCodeShown('QR_CODE', 'outstandingTransaction')).toBe(true)
  for (const hint of ['noClient', 'started', 'userSign', 'x'])
    expect(isCodeShown('QR_CODE', hint)).toBe(false)
  expect(isCodeShown('AUTO_START', 'outstandingTransaction')).toBe(false)
})

test('an end is an end', () => {
  for (const status of ['COMPLETE', 'FAILED', 'CANCELLED'] as const) expect(ORDER_MOVES[status]).toEqual([])
  const reached = new Set(Object.values(ORDER_MOVES).flat())
  expect([...ORDER_STATUSES].filter((status) => !reached.has(status))).toEqual(['STARTING'])
})
