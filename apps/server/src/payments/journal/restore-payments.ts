/**
 * Payments that the journal knows and the database does not, after it has gone back in time: each is asked for at its gateway and made
 * again in its true state, by the ordinary moves. Safe to run any number of times, at once too, and beside the running product.
 */
import {
  ASKED_BY,
  type JournalLine,
  type MadeLine,
  type PaymentLine,
} from '@kvitt/domain/payments/journal-line.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/identity.ts'
import { openTask } from '../../tasks/tasks.ts'
import { GatewayUnavailable, type Gateway } from '../gateways/gateway.ts'
import { lockDebtOf } from '../payable.ts'
import type { PaymentRow } from '../payments.queries.ts'
import { isAbandoned, recordPaymentResult } from '../settle.ts'
import { beginPaymentRow } from '../starts/starting.queries.ts'
import {
  hasDebt,
  insertLostRow,
  namePaymentRow,
  readInItsPlace,
  readKnownPayments,
  readKnownProviders,
  readNameOfUnknown,
  takeUpCallbacks,
  type Lost,
} from './journal.queries.ts'

/**
 * What became of a line: the database has it; its name at the gateway was missing and is here again; it was made again; the gateway has never
 * had it; a person is asked, as nothing but the bank's file can tell; the gateway did not answer; the database does not have its provider, so
 * that nobody can be asked in the product; it failed, and the other lines went on.
 */
export const OUTCOMES = [
  'known',
  'named',
  'remade',
  'never_made',
  'asked',
  'unreachable',
  'no_provider',
  'failed',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export type Lines = {
  readonly payments: readonly PaymentLine[]
  readonly made: ReadonlyMap<string, MadeLine>
}

const AT_ONCE = 200

/** Answers what became of each payment line, in their order. */
export async function* restorePayments(
  context: Context,
  { payments, made }: Lines,
): AsyncGenerator<{ readonly line: PaymentLine; readonly outcome: Outcome }> {
  for (let at = 0; at < payments.length; at += AT_ONCE) {
    const lines = payments.slice(at, at + AT_ONCE)
    const known = await readKnownPayments(context.db, lines)
    const providers = await providersHere(context, lines)
    for (const line of lines) {
      const row = known.get(line.id)
      const answer = made.get(line.id)
      const work = (): Promise<Outcome> =>
        row ? nameKnown(context, row, answer) : restore(context, line, answer)
      const outcome = providers.has(line.instance) ? await orFailed(context, line, work) : 'no_provider'
      yield { line, outcome }
    }
  }
}

/** Which of the providers of these lines the database has. */
export function providersHere(
  { db }: Pick<Context, 'db'>,
  lines: readonly Pick<JournalLine, 'instance'>[],
): Promise<Set<string>> {
  return readKnownProviders(
    db,
    lines.map(({ instance }) => instance),
  )
}

/** One line's trouble, such as a row that does not fit in, keeps no other from its money. */
export async function orFailed(
  { log }: Pick<Context, 'log'>,
  { kind, id }: JournalLine,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    log.error({ line: `${kind}:${id}`, err: error }, 'a line of the journal could not be made again')
    return 'failed'
  }
}

/** The database was put back to between the intent and the answer: then the journal alone has what the gateway calls it. */
async function nameKnown(context: Context, row: PaymentRow, made: MadeLine | undefined): Promise<Outcome> {
  if (!made || row.gateway_payment_id !== null) return 'known'
  // Whoever waits for the answer just now writes it down itself.
  if (row.status === 'CREATED' && !isAbandoned(context, row)) return 'known'
  const { gatewayId: gatewayPaymentId, link: externalLink } = made
  if (row.status === 'CREATED') await beginPaymentRow(context.db, row, { gatewayPaymentId, externalLink })
  await namePaymentRow(context.db, row, gatewayPaymentId)
  await recordPaymentResult(context, row, 'journal')
  return 'named'
}

async function restore(context: Context, line: PaymentLine, made: MadeLine | undefined): Promise<Outcome> {
  const gateway = context.gateways.find(({ code }) => code === line.gateway)
  // What a callback names is a hint: as after a lost answer, it is checked by whoever applies it.
  const own = made?.gatewayId ?? line.gatewayId
  const gatewayId = own ?? (await readNameOfUnknown(context.db, line))
  const named = { gatewayId: own, link: made?.link ?? null }
  if (!gateway || gatewayId === undefined)
    return askForIt(context, line, { why: gateway ? 'no_name' : 'no_gateway', named })
  const found = await lookFor(gateway, line, gatewayId)
  if (found === 'unreachable') return found
  // Whoever chose the name itself has made it: that it is gone there says nothing of its money.
  if (found === 'none')
    return ASKED_BY[line.gateway] === 'our-id'
      ? 'never_made'
      : askForIt(context, line, { why: 'not_at_gateway', named })
  const isMade = await remake(context, line, named)
  if (isMade === 'no_debt') return askForIt(context, line, { why: 'no_debt', named })
  await recordPaymentResult(context, { instance_id: line.instance, id: line.id }, 'journal')
  return 'remade'
}

async function lookFor(
  gateway: Gateway,
  { instance: instanceId, payee }: PaymentLine,
  gatewayPaymentId: string,
): Promise<'there' | 'none' | 'unreachable'> {
  try {
    const found = await gateway.readPayment({ instanceId, gatewayPaymentId, payeeAccount: payee.account })
    return found === undefined ? 'none' : 'there'
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    return 'unreachable'
  }
}

type Named = Pick<Lost, 'gatewayId' | 'link'>

/**
 * Writes it down as under way; as given up where another has taken its place, or nobody but a callback names it. Money that came is booked
 * all the same.
 */
function remake(
  context: Context,
  line: PaymentLine,
  named: Named,
  isAsked = false,
): Promise<'made' | 'no_debt'> {
  return context.db.transaction(async (tx) => {
    if (!(await hasDebt(tx, line))) return 'no_debt'
    const { instance, id, invoice, claim } = line
    await lockDebtOf(tx, { instance_id: instance, id, invoice_id: invoice, claim_id: claim })
    const inItsPlace = await readInItsPlace(tx, line)
    const isGivenUp = isAsked || inItsPlace.isUnderWay || named.gatewayId === null
    await insertLostRow(tx, line, {
      ...named,
      status: isGivenUp ? 'FAILED' : 'IN_PROGRESS',
      failure: isGivenUp ? 'lost' : null,
      key: inItsPlace.hasKey ? newId(context.clock.now()) : line.idempotencyKey,
      redirectUri: context.config.publicUrl,
    })
    await takeUpCallbacks(tx, line)
    return 'made'
  })
}

type Why = 'no_name' | 'no_gateway' | 'not_at_gateway' | 'no_debt'

/**
 * Nobody can be asked: the payment is written down as given up, so that its callback or the line of the bank's file that names it finds it, and
 * a person waits for that file. It keeps the gateway's name of it, where there is one: a second run has nothing to add.
 */
async function askForIt(
  context: Context,
  line: PaymentLine,
  { why, named }: { readonly why: Why; readonly named: Named },
): Promise<Outcome> {
  const { instance: instanceId, id, gateway, amountMinor, currency, reference, createdAt } = line
  if (why !== 'no_debt' && (await remake(context, line, named, true)) === 'no_debt')
    return askForIt(context, line, { why: 'no_debt', named })
  const details = { why, gateway, amountMinor, currency, reference, createdAt }
  await openTask(context.db, { instanceId, kind: 'payment_lost', about: `payment:${id}`, details })
  return 'asked'
}
