/** What a story knows of itself, and how it does a thing that may be refused or cut off. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import type { Instance } from '../../instances/instances.ts'
import type { BuiltInvoice, testClock } from '../build.ts'
import type { TestDatabase } from '../test-database.ts'
import type { Chance } from './chance.ts'
import type { FakeBank } from './fake-bank.ts'
import { PlannedCrash, type Trouble } from './planted-bugs.ts'
import { Violation, type Watch } from './watch.ts'

export type World = {
  readonly test: TestDatabase
  readonly context: Context
  readonly instance: Instance
  readonly clock: ReturnType<typeof testClock>
  readonly chance: Chance
  readonly bank: FakeBank
  readonly trouble: Trouble
  readonly watch: Watch
  readonly invoices: BuiltInvoice[]
  /** Of instalments, by the nights. */
  readonly bills: BuiltInvoice[]
  /** Payments whose link a payer has: an order whose answer was lost can be signed by nobody. */
  readonly handedOut: Set<string>
}

/** Staff and debtors are refused all the time; that is no failure. */
function isExpected(error: unknown): boolean {
  if (error instanceof Refusal || error instanceof PlannedCrash) return true
  const { name, message } = error as Error
  return name === 'DecisionRefused' || message.startsWith('an invoice cannot go from')
}

export async function attempt(what: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await work()) !== false
  } catch (error) {
    if (error instanceof Violation || !isExpected(error)) {
      throw error instanceof Violation ? error : new Violation(`${what}: ${(error as Error).message}`)
    }
    return false
  }
}

export const today = (world: World): CalendarDate => world.clock.today('Europe/Stockholm')
export const keyOf = (world: World, invoice: BuiltInvoice) => ({
  instanceId: world.instance.id,
  invoiceId: invoice.id,
})

/** One of all invoices that a condition holds for, so that rare states are visited often. */
export async function pick(world: World, condition: string): Promise<BuiltInvoice | undefined> {
  const { rows } = await world.test.owner.query<{ id: string }>(
    `select id from invoice where ${condition} order by id`,
  )
  const found = world.chance.oneOf(rows)
  return [...world.invoices, ...world.bills].find(({ id }) => id === found?.id)
}
