/**
 * What a debtor asks of a creditor about one invoice or claim: a thread with a state, a clock, and whoever has to write next.
 * The same for server and portals.
 */

export const CONVERSATION_KINDS = ['QUESTION', 'MORE_TIME', 'SAID_PAID', 'PLAN'] as const
export type ConversationKind = (typeof CONVERSATION_KINDS)[number]

/**
 * OPEN waits for the creditor, COUNTERED for the debtor: the creditor proposes another plan. ENDED: the debt was over before anybody
 * answered, or the debtor wants it no more.
 */
export const CONVERSATION_STATUSES = ['OPEN', 'COUNTERED', 'ANSWERED', 'ENDED'] as const
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number]

export const CONVERSATION_MOVES = {
  answer: [['OPEN', 'ANSWERED']],
  /** The debtor has more to say. */
  writeAgain: [
    ['OPEN', 'OPEN'],
    ['ANSWERED', 'OPEN'],
  ],
  /** The creditor would agree to another plan. */
  counter: [['OPEN', 'COUNTERED']],
  /** The debtor agrees to that, or does not. */
  acceptCounter: [['COUNTERED', 'ANSWERED']],
  declineCounter: [['COUNTERED', 'ENDED']],
  /** The debtor has not answered it in time. */
  lapse: [['COUNTERED', 'ENDED']],
  /** The debtor takes it back. */
  withdraw: [
    ['OPEN', 'ENDED'],
    ['COUNTERED', 'ENDED'],
  ],
  /** What it is about is over: paid, credited, stopped. */
  end: [
    ['OPEN', 'ENDED'],
    ['COUNTERED', 'ENDED'],
  ],
} as const satisfies Readonly<
  Record<string, readonly (readonly [from: ConversationStatus, to: ConversationStatus])[]>
>
export type ConversationMove = keyof typeof CONVERSATION_MOVES

/** Where `move` takes a thread that stands in `from`; undefined where it may not. */
export function moveConversation(
  move: ConversationMove,
  from: ConversationStatus,
): ConversationStatus | undefined {
  return CONVERSATION_MOVES[move].find(([before]) => before === from)?.[1]
}

/** Characters that a message may have. */
export const LONGEST_MESSAGE = 4000
/** Messages that a debtor may write before the creditor has answered. */
export const MOST_UNANSWERED = 10
/** Messages that a thread may have, of both sides. */
export const MOST_MESSAGES = 100
