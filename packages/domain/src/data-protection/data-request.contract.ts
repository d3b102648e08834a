/** What persons ask about their data: entered on the debtor, extended and answered by the operator's people (GDPR art. 12.3). */
import { z } from 'zod'
import { adminCall, day } from '../contract.ts'
import { typedLines } from '../typed-text.contract.ts'
import { DATA_ANSWERS, DATA_GROUNDS, DATA_WISHES, REQUEST_WAYS } from './data-request.ts'

const dataRequest = z.strictObject({
  id: z.uuid(),
  debtor: z.strictObject({ id: z.uuid(), name: z.string() }),
  wish: z.enum(DATA_WISHES),
  cameOn: day,
  cameBy: z.enum(REQUEST_WAYS),
  words: z.string().nullable(),
  /** The last day to answer. */
  dueOn: day,
  /** When the person was told that it takes two months longer, and why; null: it was not extended. */
  extendedToldOn: day.nullable(),
  extensionReason: z.string().nullable(),
  answer: z.enum(DATA_ANSWERS).nullable(),
  /** On which ground of the law it was refused or left undone. */
  ground: z.enum(DATA_GROUNDS).nullable(),
  reason: z.string().nullable(),
  /** When the person was told the answer; null for what was withdrawn. */
  toldOn: day.nullable(),
  answeredOn: day.nullable(),
})

export const enterDataRequest = adminCall({
  name: 'enterDataRequest',
  right: 'data_requests',
  method: 'POST',
  path: '/debtors/:id/data-requests',
  takesKey: true,
  body: z.strictObject({
    wish: z.enum(DATA_WISHES),
    /** The day on which it came: the clock of the law runs from it. */
    cameOn: day,
    cameBy: z.enum(REQUEST_WAYS),
    words: typedLines(2000).nullish(),
  }),
  response: dataRequest,
  refusals: ['not_found', 'invalid_request', 'day_out_of_reach', 'request_stands', 'idempotency_key_reused'],
})

/** Of one person, also those that were entered on another row of the same person. The newest first. */
export const listDataRequests = adminCall({
  name: 'listDataRequests',
  right: 'see',
  path: '/debtors/:id/data-requests',
  response: z.object({ requests: z.array(dataRequest) }),
})

export const getDataRequest = adminCall({
  name: 'dataRequest',
  right: 'see',
  path: '/data-requests/:id',
  response: dataRequest,
})

/** Two months more, once. The person has been told, with the reason, within the first month. */
export const extendDataRequest = adminCall({
  name: 'extendDataRequest',
  right: 'export_person',
  method: 'POST',
  path: '/data-requests/:id/extend',
  takesKey: true,
  body: z.strictObject({ toldOn: day, reason: typedLines(1000).min(1) }),
  response: dataRequest,
  refusals: ['invalid_request', 'day_out_of_reach', 'act_not_open', 'idempotency_key_reused'],
})

/** Ends it. Every answer but a copy handed out says why or what was done; a copy has to have been made since the request came. */
export const answerDataRequest = adminCall({
  name: 'answerDataRequest',
  right: 'export_person',
  method: 'POST',
  path: '/data-requests/:id/answer',
  takesKey: true,
  body: z.strictObject({
    answer: z.enum(DATA_ANSWERS),
    toldOn: day.nullish(),
    ground: z.enum(DATA_GROUNDS).nullish(),
    /** Of what was refused or left undone: that the person was told why, and how to complain. */
    wasToldHow: z.boolean().nullish(),
    reason: typedLines(1000).nullish(),
  }),
  response: dataRequest,
  refusals: [
    'invalid_request',
    'day_out_of_reach',
    'act_not_open',
    'export_not_made',
    'idempotency_key_reused',
  ],
})
