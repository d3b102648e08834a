/** The people and keys of the demo: their names and their password stand in the README, so they are for a demo alone. */
import type { CreditorRole, KeyScope, OperatorRole } from '@kvitt/domain/staff/roles.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import { hashPassword } from './passwords.ts'
import { hashOf } from './secrets.ts'
import { insertApiKey, insertMembershipRow, insertPerson, readCreditorIds } from './staff.queries.ts'

const DEMO_PASSWORD = 'Kvitt-demo-2026'
const ENERGI = 'Fjällström Demo Energi AB'
const GYM = 'Pulsverket Demo Gym AB'

const PEOPLE: readonly (readonly [string, string, string | null, CreditorRole | OperatorRole])[] = [
  ['admin', 'Demo Admin', null, 'manager'],
  ['manager', 'Demo Manager', null, 'manager'],
  ['finance', 'Demo Finance', null, 'finance'],
  ['handler', 'Demo Handler', null, 'handler'],
  ['support', 'Demo Support', null, 'support'],
  ['approver', 'Demo Approver', null, 'approver'],
  ['auditor', 'Demo Auditor', null, 'auditor'],
  ['creditor', 'Demo Creditor', ENERGI, 'manager'],
  ['creditor2', 'Demo Creditor Two', ENERGI, 'manager'],
  ['clerk', 'Demo Clerk', ENERGI, 'clerk'],
  ['viewer', 'Demo Viewer', ENERGI, 'viewer'],
  ['gym', 'Demo Gym', GYM, 'manager'],
]

const KEYS: readonly (readonly [string, string])[] = [
  ['kvitt-demo-energi', ENERGI],
  ['kvitt-demo-gym', GYM],
]
const ALL_SCOPES: readonly KeyScope[] = ['read', 'invoices', 'payments', 'webhooks']

/** Makes who is missing of them; called again it changes nothing. */
export async function makeDemoStaff(
  context: Pick<Context, 'db' | 'clock'>,
  instanceId: string,
): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const creditors = await readCreditorIds(context.db, { instanceId, names: [ENERGI, GYM] })
  const creditorOf = (name: string): string => {
    const id = creditors.get(name)
    if (id === undefined) throw new Error(`the demo has no creditor ${name}`)
    return id
  }
  const make = (): string => newId(context.clock.now())
  await context.db.transaction(async (tx) => {
    for (const [account, name, creditor, role] of PEOPLE) {
      const email = `${account}@kvitt.example`
      const personId = await insertPerson(tx, { id: make(), email, name, passwordHash, isDemo: true })
      const creditorId = creditor === null ? null : creditorOf(creditor)
      await insertMembershipRow(tx, { instanceId, id: make(), personId, creditorId, role })
    }
    for (const [key, creditor] of KEYS) {
      await insertApiKey(tx, {
        instanceId,
        id: make(),
        creditorId: creditorOf(creditor),
        name: 'Demo',
        lastFour: key.slice(-4),
        keyHash: hashOf(key),
        scopes: ALL_SCOPES,
        isDemo: true,
        madeBy: null,
        expiresAt: null,
      })
    }
  })
}
