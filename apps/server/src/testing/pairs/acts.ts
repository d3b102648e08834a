/** What can happen to a debt. Whatever is added here is paired with everything else. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { reverseByHand } from '../../bank-files/bank-files.ts'
import {
  decideDebt,
  type DebtDecision,
  DecisionRefused,
  pauseClaim,
  pauseInvoice,
  rejectClaimDispute,
  rejectDispute,
  reversePayment,
  performDailyRun,
  stopClaim,
  stopInvoice,
  upholdClaimDispute,
  upholdDispute,
} from '../../collection/collection.ts'
import { billInstalments } from '../../part-payments/part-payments.ts'
import { readPayments, recordPaymentResult } from '../../payments/payments.ts'
import { TODAY } from '../build.ts'
import {
  ask,
  creditNote,
  door,
  importText,
  takeTransfer,
  type Need,
  type Stage,
  type Subject,
} from './stage.ts'

export type Act = {
  readonly name: string
  readonly needs: readonly Need[]
  /** It is done every day, so that what one of it passed over is the next one's. */
  readonly isRepeated?: boolean
  /** A first part of it, when another act may come between that and the rest. */
  readonly begin?: (stage: Stage) => Promise<unknown>
  /** What it answers when nothing else happens. */
  readonly alone: string | Readonly<Record<Subject, string>>
  /** Answers what came of it, in a word. */
  readonly run: (stage: Stage) => Promise<string>
}

/** What an act came to that was refused; a failure of the product is thrown. */
async function wordOf(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return error.code
    if (error instanceof DecisionRefused) return 'refused'
    // The staff's acts have no door yet that would ask before they move.
    const { message } = error as Error
    if (/^an? (invoice|claim) cannot go from /.test(message)) return 'refused'
    throw error
  }
}

async function called(stage: Stage, method: 'POST' | 'PUT', url: string, payload?: object): Promise<string> {
  const { status, json } = await ask(stage, method, url, payload)
  return status < 300 ? 'done' : String(json['code'])
}

const callBack = (stage: Stage, eventId: string): Promise<string> =>
  called(stage, 'POST', stage.callback, { eventId, transactionStatus: 'ACSC' })

async function pay(stage: Stage): Promise<string> {
  const { payable, context, instance } = stage
  const debt = payable.kind === 'invoice' ? { invoiceId: payable.id } : { claimId: payable.id }
  const [payment] = await readPayments(context.db, instance.id, debt)
  return payment ? await recordPaymentResult(context, payment, 'return') : 'nothing'
}

const PAUSE = { on: TODAY, reason: 'respite', resumeDate: null }
const keysOf = ({ instance: { id: instanceId }, invoice, debt }: Stage) => ({
  invoice: { instanceId, invoiceId: invoice.id },
  claim: { instanceId, claimId: debt.id },
})

/** The same decision of staff about an invoice or a claim. */
function decided(
  onInvoice: (context: Stage['context'], key: { instanceId: string; invoiceId: string }) => Promise<unknown>,
  onClaim: (context: Stage['context'], key: { instanceId: string; claimId: string }) => Promise<unknown>,
): Act['run'] {
  return (stage) => {
    const { invoice, claim } = keysOf(stage)
    const { context, subject } = stage
    return wordOf(async () => {
      const answer = await (subject === 'invoice' ? onInvoice(context, invoice) : onClaim(context, claim))
      return answer === false ? 'nothing' : 'done'
    })
  }
}

/** What a person lets the debtor off. */
function letOff(decision: DebtDecision): Act['run'] {
  return ({ context, instance, subject, debt }) =>
    wordOf(async () => {
      const wish = { instanceId: instance.id, debt: { kind: subject, name: debt.id }, decision } as const
      const { isNew } = await decideDebt(context, { ...wish, reason: 'Goodwill', by: 'person:Eva Berg' })
      return isNew ? 'done' : 'nothing'
    })
}

const night: Act['run'] = async ({ context, instance }) => {
  return (await performDailyRun(context, instance, TODAY)) > 0 ? 'done' : 'nothing'
}

/** A night is many transactions: one bills plans, others end them. */
const bill: Act['begin'] = ({ context, instance: { id: instanceId } }) =>
  billInstalments(context, { instanceId, day: TODAY })

const reverse: Act['run'] = ({ context, instance, lineId }) =>
  wordOf(async () => {
    const isDone = await reversePayment(context, { instanceId: instance.id, paymentId: lineId }, TODAY)
    return isDone ? 'done' : 'nothing'
  })

const OBJECTION = { debtorEmail: 'alva@example.com', reason: 'Fel mätare' }

export const ACTS: readonly Act[] = [
  { name: 'paid at the bank', needs: ['executed'], alone: 'done', run: (stage) => callBack(stage, 'paid') },
  {
    name: 'told twice of it',
    needs: ['executed'],
    alone: 'done,done,done',
    run: async (stage) => {
      const words = await Promise.all(['paid', 'paid', 'again'].map((event) => callBack(stage, event)))
      return words.join()
    },
  },
  { name: 'what was signed is settled', needs: ['signed'], alone: 'COMPLETED', run: pay },
  {
    name: 'paid by transfer',
    needs: [],
    alone: 'booked',
    run: async (stage) => (await takeTransfer(stage, stage.transfer)).join(),
  },
  {
    name: 'a plan starts',
    needs: [],
    alone: 'done',
    run: (stage) => {
      const verb = stage.subject === 'invoice' ? 'PUT' : 'POST'
      return called(stage, verb, `${door(stage.subject, stage.debt)}/part-payment/start`, { type: 'PLAN_4' })
    },
  },
  {
    name: 'disputed',
    needs: [],
    alone: 'done',
    run: (stage) => called(stage, 'POST', `${door(stage.subject, stage.debt)}/dispute`, OBJECTION),
  },
  {
    name: 'stopped',
    needs: [],
    alone: 'done',
    run: decided(
      (context, key) => stopInvoice(context, key, { on: TODAY, reason: 'withdrawn' }),
      (context, key) => stopClaim(context, key, { on: TODAY, reason: 'withdrawn' }),
    ),
  },
  {
    name: 'fees are waived',
    needs: [],
    // The invoice bears none before the night.
    alone: { invoice: 'refused', claim: 'done' },
    run: letOff({ act: 'waive', bucket: 'costs', amount: null }),
  },
  {
    name: 'interest is waived',
    needs: [],
    alone: 'done',
    run: letOff({ act: 'waive', bucket: 'interest', amount: null }),
  },
  {
    name: 'a part is written off',
    needs: [],
    alone: 'done',
    run: letOff({ act: 'write-off', amount: '100.00' }),
  },
  { name: 'all is written off', needs: [], alone: 'done', run: letOff({ act: 'write-off', amount: null }) },
  {
    name: 'credited in part',
    needs: [],
    alone: 'created',
    run: (stage) => importText(stage, creditNote(stage, '142.00')),
  },
  {
    name: 'credited in full',
    needs: [],
    alone: 'created',
    run: (stage) => importText(stage, creditNote(stage, '842.00')),
  },
  { name: 'the night', needs: [], alone: 'done', isRepeated: true, begin: bill, run: night },
  { name: 'a part that was paid is taken back', needs: ['paid in part'], alone: 'done', run: reverse },
  { name: 'all that was paid is taken back', needs: ['paid'], alone: 'done', run: reverse },
  {
    name: 'paid, and taken back by a person as it did not come',
    needs: ['executed'],
    alone: 'done',
    begin: pay,
    run: (stage) =>
      wordOf(async () => {
        await pay(stage)
        const of = { instanceId: stage.instance.id, paymentId: stage.paymentId, by: 'person:Eva Berg' }
        const { isNew } = await reverseByHand(stage.context, { ...of, reason: 'It did not come' })
        return isNew ? 'done' : 'nothing'
      }),
  },
  {
    name: 'withdrawn from',
    needs: ['young plan'],
    alone: 'done',
    run: (stage) => called(stage, 'POST', `${door(stage.subject, stage.debt)}/part-payment/withdraw`),
  },
  {
    name: 'a missed plan ends',
    needs: ['missed plan'],
    alone: 'done',
    isRepeated: true,
    begin: bill,
    run: night,
  },
  {
    name: 'paused',
    needs: [],
    alone: 'done',
    run: decided(
      (context, key) => pauseInvoice(context, key, PAUSE),
      (context, key) => pauseClaim(context, key, PAUSE),
    ),
  },
  {
    name: 'the objection is rejected',
    needs: ['disputed'],
    alone: 'done',
    run: decided(
      (context, key) => rejectDispute(context, key, { on: TODAY, answer: 'Nej.' }),
      (context, key) => rejectClaimDispute(context, key, { on: TODAY, answer: 'Nej.' }),
    ),
  },
  {
    name: 'the objection is upheld',
    needs: ['disputed'],
    alone: 'done',
    run: decided(
      (context, key) => upholdDispute(context, key, { on: TODAY, decision: 'Ja', creditMinor: 'all' }),
      (context, key) => upholdClaimDispute(context, key, { on: TODAY, answer: 'Ja', creditMinor: 'all' }),
    ),
  },
]
