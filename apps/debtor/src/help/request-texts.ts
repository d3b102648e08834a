/** What requests are called, what they ask for, and what was decided, as messages. */
import type { PaidHow, RequestOutcome } from '@kvitt/domain/conversations/request.ts'
import type { MessageId } from '../text.ts'
import type { Thread } from './conversation-calls.ts'

export type RequestKind = Exclude<Thread['kind'], 'QUESTION'>

export const KIND_TEXTS: Readonly<Record<Thread['kind'], MessageId>> = {
  QUESTION: 'talk.kind.QUESTION',
  MORE_TIME: 'talk.kind.MORE_TIME',
  SAID_PAID: 'talk.kind.SAID_PAID',
  PLAN: 'talk.kind.PLAN',
}

/** What opens them. */
export const ASK_TEXTS: Readonly<Record<Thread['kind'], MessageId>> = {
  QUESTION: 'talk.ask',
  MORE_TIME: 'request.more_time',
  SAID_PAID: 'request.said_paid',
  PLAN: 'request.plan',
}

export const WISH_TEXTS: Readonly<Record<RequestKind, MessageId>> = {
  MORE_TIME: 'request.wish.MORE_TIME',
  SAID_PAID: 'request.wish.SAID_PAID',
  PLAN: 'request.wish.PLAN',
}

export const HOW_TEXTS: Readonly<Record<PaidHow, MessageId>> = {
  BANK: 'request.how.BANK',
  SWISH: 'request.how.SWISH',
  CASH: 'request.how.CASH',
  OTHER: 'request.how.OTHER',
}

const OUTCOME_TEXTS: Readonly<Record<RequestOutcome, MessageId>> = {
  GRANT: 'request.outcome.GRANT',
  DECLINE: 'request.outcome.DECLINE',
  FOUND: 'request.outcome.FOUND',
  TRACING: 'request.outcome.TRACING',
  NOT_FOUND: 'request.outcome.NOT_FOUND',
  ACCEPT: 'request.outcome.ACCEPT',
  COUNTER: 'request.outcome.COUNTER',
  COUNTER_DECLINED: 'request.outcome.COUNTER_DECLINED',
  LAPSED: 'request.outcome.LAPSED',
  WITHDRAWN: 'request.outcome.WITHDRAWN',
}

/** What was decided about a request of that kind. */
export function outcomeText(kind: Thread['kind'], outcome: RequestOutcome): MessageId {
  return kind === 'PLAN' && outcome === 'DECLINE' ? 'request.outcome.PLAN_DECLINE' : OUTCOME_TEXTS[outcome]
}
