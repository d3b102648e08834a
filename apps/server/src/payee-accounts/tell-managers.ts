/** Everybody concerned hears of an account that debtors are to pay to, so that whoever sees a fraud can stop it in time. */
import type { PayeeAccount } from '@kvitt/domain/payee-accounts/payee-account.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { queueToStaff } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { readCreditorName, readTold } from './payee-accounts.queries.ts'

type News = {
  readonly instance: Instance
  readonly creditorId: string | null
  readonly account: Pick<PayeeAccount, 'currency' | 'number'>
  readonly kind: 'staff_payee_proposed' | 'staff_payee_agreed' | 'staff_payee_stopped'
  /** What it is news of: a proposal or an account. */
  readonly of: string
  /** From when debtors are shown it. */
  readonly from?: string
}

/** Writes to everybody concerned, each once. */
export async function tellManagers(context: Context, tx: Transaction, news: News): Promise<void> {
  const { instance, creditorId, account, kind, of, from } = news
  const whose = { instanceId: instance.id, creditorId }
  const payee = creditorId === null ? instance.row.name : ((await readCreditorName(tx, whose)) ?? '')
  const moment = { dateStyle: 'short', timeStyle: 'short', timeZone: instance.timeZone } as const
  for (const { email, name } of await readTold(tx, whose)) {
    const params = {
      name,
      payee,
      currency: account.currency,
      lastFour: account.number.slice(-4),
      from: from === undefined ? '' : new Intl.DateTimeFormat('sv-SE', moment).format(new Date(from)),
    }
    queueToStaff(context, tx, { kind, cause: `${kind}:${of}:${email}`, instance, recipient: email, params })
  }
}
