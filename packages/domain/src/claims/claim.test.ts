import { describe, expect, test } from 'vitest'
import {
  canDisputeClaim,
  canMoveClaim,
  canPayClaim,
  CLAIM_MOVES,
  CLAIM_STATUSES,
  isOpenClaim,
  type ClaimMove,
} from './claim.ts'

/** Every move that may happen, written out a second time: `from>to`. */
const ALLOWED: Readonly<Record<ClaimMove, string>> = {
  pause: 'OPEN>PAUSED RESUME>PAUSED',
  resume: 'PAUSED>RESUME',
  dispute: 'OPEN>DISPUTED RESUME>DISPUTED PAUSED>DISPUTED',
  rejectDispute: 'DISPUTED>RESUME',
  upholdDispute: 'DISPUTED>CLOSED',
  upholdInPart: 'DISPUTED>RESUME',
  paidInPart: 'OPEN>OPEN RESUME>RESUME PAUSED>PAUSED DISPUTED>DISPUTED STOPPED>STOPPED',
  paidInFull: 'OPEN>CLOSED RESUME>CLOSED PAUSED>CLOSED DISPUTED>CLOSED STOPPED>CLOSED',
  overpaid: 'CLOSED>CLOSED',
  credited: 'OPEN>OPEN RESUME>RESUME PAUSED>PAUSED DISPUTED>DISPUTED',
  creditedInFull: 'OPEN>CLOSED RESUME>CLOSED PAUSED>CLOSED DISPUTED>CLOSED',
  stop: 'OPEN>STOPPED RESUME>STOPPED PAUSED>STOPPED DISPUTED>STOPPED',
  letOffInPart: 'OPEN>OPEN RESUME>RESUME PAUSED>PAUSED DISPUTED>DISPUTED STOPPED>STOPPED',
  waivedInFull: 'OPEN>CLOSED RESUME>CLOSED PAUSED>CLOSED DISPUTED>CLOSED',
  writtenOff: 'OPEN>STOPPED RESUME>STOPPED PAUSED>STOPPED DISPUTED>STOPPED STOPPED>STOPPED',
  reverse: 'CLOSED>RESUME STOPPED>RESUME',
}

const moves = Object.keys(CLAIM_MOVES) as ClaimMove[]

describe('a move', () => {
  test.each(moves)('%s goes where the table says, and nowhere else', (move) => {
    const possible = CLAIM_STATUSES.flatMap((from) =>
      CLAIM_STATUSES.filter((to) => canMoveClaim(move, from, to)).map((to) => `${from}>${to}`),
    )
    expect(possible.sort()).toEqual(ALLOWED[move].split(' ').sort())
  })

  test('nothing leads back to OPEN: what has been anything else goes on as RESUME', () => {
    const back = moves.flatMap((move) =>
      CLAIM_MOVES[move].filter(([from, to]) => to === 'OPEN' && from !== 'OPEN'),
    )
    expect(back).toEqual([])
  })
})

test('open are all but CLOSED and STOPPED', () => {
  expect(CLAIM_STATUSES.filter(isOpenClaim)).toEqual(['OPEN', 'RESUME', 'PAUSED', 'DISPUTED'])
})

test('disputed can be what is open, owes something and is not disputed', () => {
  expect(CLAIM_STATUSES.filter((status) => canDisputeClaim(status, 1))).toEqual(['OPEN', 'RESUME', 'PAUSED'])
  expect(CLAIM_STATUSES.filter((status) => canDisputeClaim(status, 0))).toEqual([])
})

test('paid can be what is open and owes something, also disputed, but not behind a plan', () => {
  const payable = (balanceMinor: number, isPartPayment: boolean) =>
    CLAIM_STATUSES.filter((status) => canPayClaim({ status, balanceMinor, isPartPayment }))
  expect(payable(1, false)).toEqual(['OPEN', 'RESUME', 'PAUSED', 'DISPUTED'])
  expect(payable(0, false)).toEqual([])
  expect(payable(1, true)).toEqual([])
})
