/** What a creditor's staff does with a debt, through its own door. */
import { addDays } from '@kvitt/domain/calendar.ts'
import { TODAY } from '../build.ts'
import type { Act } from './acts.ts'
import { ask, type Stage } from './stage.ts'

/** Under a key of its own, so that the same twice is the same once. */
async function called(stage: Stage, path: string, body: object): Promise<string> {
  const headers = { ...stage.manager, 'idempotency-key': path }
  const { status, json } = await ask({ ...stage, headers }, 'POST', `/api/client/${path}`, body)
  return status < 300 ? 'done' : String(json['code'])
}

/** On the invoice, also where that is in a claim. */
const onInvoice =
  (name: string, body: object): Act['run'] =>
  (stage) =>
    called(stage, `invoices/${stage.invoice.id}/${name}`, body)

const onDebt =
  (name: string, body: object): Act['run'] =>
  (stage) =>
    called(
      stage,
      `${stage.subject === 'invoice' ? 'invoices' : 'collection-batches'}/${stage.debt.id}/${name}`,
      body,
    )

/** What an invoice in a claim owes is the claim's. */
const NOT_IN_A_CLAIM = { invoice: 'done', claim: 'in_claim' } as const

export const STAFF_ACTS: readonly Act[] = [
  {
    name: 'staff give more time',
    needs: [],
    alone: 'done',
    run: onDebt('more-time', { until: addDays(TODAY, 30) }),
  },
  {
    name: 'staff hand it to collection',
    needs: [],
    alone: NOT_IN_A_CLAIM,
    run: onInvoice('to-collection', { ground: 'Betalar aldrig' }),
  },
  {
    name: 'staff tell of a direct payment',
    needs: [],
    alone: 'done',
    run: onDebt('direct-payment', { amount: '200.00', date: TODAY }),
  },
  {
    name: 'staff take a direct payment back',
    needs: ['paid directly'],
    alone: 'done',
    run: (stage) => called(stage, `payments/${stage.directId}/reverse`, { reason: 'Fel kund' }),
  },
  {
    name: 'staff credit what is left',
    needs: [],
    alone: 'done',
    run: onInvoice('credit', { reason: 'Fel kund' }),
  },
  { name: 'staff stop it', needs: [], alone: 'done', run: onDebt('stop', { reason: 'OTHER' }) },
  {
    name: 'staff recall it',
    needs: [],
    alone: { invoice: 'not_found', claim: 'done' },
    run: (stage) => called(stage, `collection-batches/${stage.debt.id}/recall`, { reason: 'Vi sköter det' }),
  },
  { name: 'staff resume it', needs: ['paused'], alone: 'done', run: onDebt('resume', {}) },
  {
    name: 'staff uphold a part',
    needs: ['disputed'],
    alone: 'done',
    run: async (stage) => {
      const rows = await stage.server.test.owner.query('select id from dispute where instance_id = $1', [
        stage.instance.id,
      ])
      const answer = { decision: 'UPHOLD_PART', amount: '100.00', answer: 'Delvis.' }
      return called(stage, `disputes/${rows.rows[0].id}/decide`, answer)
    },
  },
]
