import { expect, test } from 'vitest'
import {
  CONVERSATION_MOVES,
  CONVERSATION_STATUSES,
  moveConversation,
  type ConversationMove,
  type ConversationStatus,
} from './conversation.ts'

/** Every move from every state, written by hand. */
const TABLE: Readonly<Record<ConversationMove, Readonly<Partial<Record<ConversationStatus, string>>>>> = {
  answer: { OPEN: 'ANSWERED' },
  writeAgain: { OPEN: 'OPEN', ANSWERED: 'OPEN' },
  counter: { OPEN: 'COUNTERED' },
  acceptCounter: { COUNTERED: 'ANSWERED' },
  declineCounter: { COUNTERED: 'ENDED' },
  lapse: { COUNTERED: 'ENDED' },
  withdraw: { OPEN: 'ENDED', COUNTERED: 'ENDED' },
  end: { OPEN: 'ENDED', COUNTERED: 'ENDED' },
}

test.each(Object.keys(CONVERSATION_MOVES) as ConversationMove[])(
  '%s moves only as the table says',
  (move) => {
    for (const from of CONVERSATION_STATUSES) expect(moveConversation(move, from)).toBe(TABLE[move][from])
  },
)
