/** Client funds as an operator's people prove them, day by day. Amounts are in the currency's main unit. */
import { z } from 'zod'
import { adminCall, amount, day } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { CURRENCIES } from '../money.ts'
import { PROOF_SIDES, PROOF_TERMS, PROOF_VERDICTS } from './proof.ts'
import { FUNDS_DOCUMENTS, ITEM_KINDS } from './proof-item.ts'

const account = z.strictObject({
  id: z.uuid(),
  scheme: z.string(),
  /** Letters and digits only. */
  number: z.string(),
  /** Null: for all creditors. */
  creditor: creditorOfRow.nullable(),
  /** What the bank says stood on it at the end of the day; null where no statement ends on the day. */
  balance: amount.nullable(),
  /** The last day on or before it on which one does. */
  statementOn: day.nullable(),
  /** Between that statement and the lines of the account that are in the books. */
  difference: amount.nullable(),
  since: day.nullable(),
})

const proof = z.strictObject({
  currency: z.enum(CURRENCIES),
  verdict: z.enum(PROOF_VERDICTS),
  /** Lines of files that are being entered just now: until they are, it may differ. */
  waitingLines: z.number().int(),
  /** What we have less what we owe; null without a statement of the day. */
  difference: amount.nullable(),
  /** The first day of those without a break that did not agree. */
  since: day.nullable(),
  /** On which days it changed and by how much, the newest first, at most 10. */
  changes: z.array(z.strictObject({ day, amount })),
  /** The last day on or before it of which each account has a statement. */
  lastCovered: day.nullable(),
  /** The last day on which something that the bank tells of by then was entered; null when all of it was there. */
  enteredLast: day.nullable(),
  terms: z.array(
    z.strictObject({
      term: z.enum(PROOF_TERMS),
      side: z.enum(PROOF_SIDES),
      /** Null for the bank without a statement of the day. */
      amount: amount.nullable(),
    }),
  ),
  accounts: z.array(account),
})

const PROOF_QUERY = { day: day.optional() }

/** The day is the last one that a statement tells of when it is left out. */
export const getClientFunds = adminCall({
  name: 'clientFunds',
  right: 'client_funds',
  path: '/client-funds',
  query: z.object({ ...PROOF_QUERY, document: z.enum(FUNDS_DOCUMENTS).optional() }),
  response: z.strictObject({
    day,
    /** The last day that a statement of any account tells of; null when none has come. */
    latest: day.nullable(),
    /** By currency, of those in which anything was booked or told of by then. */
    proofs: z.array(proof),
    /** Creditors whose own money did not cover what was taken from it, at the end of the day. */
    belowZero: z.array(z.strictObject({ creditor: creditorOfRow, currency: z.string(), amount })),
  }),
  alsoFiles: ['application/pdf'],
  refusals: ['day_out_of_reach', 'invalid_request'],
})

/** What a term is made of at the end of a day, the last that a statement tells of when it is left out: the largest, and all else in one sum. */
export const getClientFundsItems = adminCall({
  name: 'clientFundsItems',
  right: 'client_funds',
  path: '/client-funds/items',
  query: z.object({ ...PROOF_QUERY, currency: z.enum(CURRENCIES), term: z.enum(PROOF_TERMS) }),
  response: z.strictObject({
    items: z.array(
      z.strictObject({
        kind: z.enum(ITEM_KINDS),
        /** What its view is opened with; null where a list is opened. */
        id: z.string().nullable(),
        name: z.string().nullable(),
        day: day.nullable(),
        /** The day on which the books took it in, where that is another one. */
        enteredOn: day.nullable(),
        amount,
      }),
    ),
    /** What the term has besides these. */
    rest: amount,
  }),
  refusals: ['day_out_of_reach', 'invalid_request'],
})
