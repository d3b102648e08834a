/**
 * Whether each gateway's clearing account comes out even against the statement: what a gateway said had moved, and no file has shown
 * for three bank days, is a task. The test shows that the postings alone, without the rule that matches lines and payments, say the same.
 */
import { writtenAs } from '@kvitt/domain/account-address.ts'
import { date } from '@kvitt/domain/calendar.ts'
import { addBankDays } from '@kvitt/domain/collection/bank-days.ts'
import { IN_BANK_FILES } from '../payments/payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import { endTasks, reopenTasks } from '../tasks/tasks.ts'
import { readToldAccounts, readUntoldDays, type UntoldDay } from './overdue-clearing.queries.ts'

/** Money is on the account on the next bank day as a rule; banks have three at most. */
const LONGEST_BANK_DAYS = 3

/** Where the money is to come, and from whom. */
function whereOf(
  late: UntoldDay | undefined,
  accounts: ReadonlyMap<string, { readonly addresses: readonly string[] }>,
): { readonly gateway?: string; readonly account?: string } {
  if (!late) return {}
  const account = accounts.get(late.account_id)?.addresses.join(', ') ?? ''
  return { gateway: late.gateway, account }
}

/**
 * Asks about money that is late, by account and gateway, and ends the tasks of what has come since. An account is late by what
 * its own files tell: where no file came, nothing is.
 */
export async function askAboutOverdueClearing(tx: Transaction, instanceId: string): Promise<void> {
  const accounts = await readToldAccounts(tx, instanceId)
  const wanted = accounts.flatMap(({ account_id: accountId, addresses, since, until }) =>
    since === null || until === null
      ? []
      : addresses.flatMap(writtenAs).map((written) => ({ accountId, written, since, before: until })),
  )
  const byId = new Map(accounts.map((account) => [account.account_id, account]))
  const isLate = ({ account_id: id, day }: UntoldDay): boolean => {
    const { country = '', until = null } = byId.get(id) ?? {}
    return until !== null && addBankDays(country, date(day), LONGEST_BANK_DAYS) < until
  }
  const late = new Map<string, UntoldDay[]>()
  const gateways = [...IN_BANK_FILES]
  for (const row of (await readUntoldDays(tx, instanceId, wanted, gateways)).filter(isLate)) {
    const about = `clearing:${row.gateway}:${row.account_id}`
    late.set(about, [...(late.get(about) ?? []), row])
  }
  await reopenTasks(
    tx,
    [...late].map(([about, days]) => ({
      instanceId,
      kind: 'clearing_late' as const,
      about,
      details: { days: days.map(({ account_id: _, gateway: __, ...day }) => day), ...whereOf(days[0], byId) },
    })),
  )
  const even = accounts
    .flatMap(({ account_id: id }) => gateways.map((gateway) => `clearing:${gateway}:${id}`))
    .filter((about) => !late.has(about))
  await endTasks(tx, { instanceId, kind: 'clearing_late', abouts: even })
}
