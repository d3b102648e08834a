/** The second factor of somebody whose password was right: a code of their app, or a recovery code. Each signs in once. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { networkActor, noteEvent } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { openSecrets } from '../credentials/credentials.ts'
import type { Instance } from '../instances/instances.ts'
import { queueToStaff } from '../mail/mail.ts'
import { newId } from '../platform/identity.ts'
import { budgetsOfAccount, takeTry, type AccountVisit } from '../sign-in/sign-in.ts'
import { networkOf } from '../sign-in/viewer.ts'
import { countCodesLeft, readFactor, useCodeRow, useStepRow, type FactorRow } from './factors.queries.ts'
import { digitsOf, stepOf } from './one-time-code.ts'
import { recoveryHashOf } from './recovery-code.ts'
import { hasFactor } from './set-up.ts'

const WINDOW_MS = 15 * 60_000
const DAY_MS = 24 * 60 * 60_000
/** Codes of one account in a day, from one known browser and from all others: a million are possible, and three are right. */
const PER_DAY = 60

type Person = { readonly id: string; readonly email: string; readonly name: string }

export type CodeTry = {
  readonly person: Person
  readonly code: string
  /** The network's address, and the proof of a browser in which the account has signed in. */
  readonly from: Pick<AccountVisit, 'address' | 'proof'>
}

/** Refuses `sign_in_throttled` after too many tries. Counted before the code is looked at: many at once are many. */
export async function takeCodeTry(
  context: Context,
  instance: Instance,
  { person, from }: Pick<CodeTry, 'person' | 'from'>,
): Promise<void> {
  const account = `code:${person.id}`
  const tries = {
    scope: 'staff-sign-in',
    budgets: budgetsOfAccount({ ...from, account }),
    windowMs: WINDOW_MS,
  }
  const day = [{ name: JSON.stringify(['day', account, from.proof ?? '']), limit: PER_DAY }]
  const isAllowed =
    (await takeTry(context, instance, tries)) &&
    (await takeTry(context, instance, { scope: 'staff-sign-in', budgets: day, windowMs: DAY_MS }))
  if (!isAllowed) throw new Refusal('sign_in_throttled')
}

export type ProvenCode = {
  /** Recovery codes that are left, where one was used. */
  readonly recoveryCodesLeft?: number
}

/**
 * Uses a code up. Refuses `sign_in_throttled`, `code_wrong`, and `code_used` for one that has signed in before; `sign_in_expired`
 * when the person has no second factor any more.
 */
export async function proveCode(
  context: Context,
  instance: Instance,
  { person, code, from }: CodeTry,
): Promise<ProvenCode> {
  await takeCodeTry(context, instance, { person, from })
  const factor = await readFactor(context.db, person.id)
  if (!factor && !(await hasFactor(context, person.id))) throw new Refusal('sign_in_expired')
  const hash = recoveryHashOf(code)
  const found = hash
    ? await proveRecovery(context, instance, { person, hash })
    : factor
      ? await proveStep(context, { factor, code })
      : 'wrong'
  if (found !== 'wrong' && found !== 'used') return found
  const actor = networkActor(context, instance.id, networkOf(from.address))
  await noteEvent(context, { instanceId: instance.id, kind: 'staff_refused', actor, about: 'second-factor' })
  throw new Refusal(found === 'used' ? 'code_used' : 'code_wrong', {}, ['code'])
}

async function proveStep(
  { db, config, clock }: Context,
  { factor, code }: { readonly factor: FactorRow; readonly code: string },
): Promise<ProvenCode | 'wrong' | 'used'> {
  const digits = digitsOf(code)
  if (digits === undefined) return 'wrong'
  const step = stepOf(openSecrets(config.settingsKeyFile)(factor.secret), digits, clock.now())
  if (step === undefined) return 'wrong'
  return (await useStepRow(db, factor.id, step)) ? {} : 'used'
}

/** Whoever's recovery code is used is told: it may have been somebody else who found the list. */
function proveRecovery(
  context: Context,
  instance: Instance,
  { person, hash }: { readonly person: Person; readonly hash: Uint8Array },
): Promise<ProvenCode | 'wrong' | 'used'> {
  const now = context.clock.now()
  return context.db.transaction(async (tx) => {
    const used = await useCodeRow(tx, { personId: person.id, hash, at: new Date(now).toISOString() })
    if (used !== 'now') return used === 'before' ? 'used' : 'wrong'
    const left = await countCodesLeft(tx, person.id)
    queueToStaff(context, tx, {
      kind: 'staff_recovery_used',
      cause: `recovery:${newId(now)}`,
      instance,
      recipient: person.email,
      params: { name: person.name, left: String(left) },
    })
    return { recoveryCodesLeft: left }
  })
}
