/** Where our OpenID provider keeps what it has to remember: rows of one instance, so that N processes are one provider. */
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider'
import type { Context } from '../context.ts'
import { holdIssuer, maySessionBegin } from '../issuers/issuers.ts'
import { beginStaffSession, endSessionsOfGrant, hashOf } from '../staff/staff.ts'
import {
  consumeItem,
  holdGrant,
  keepItem,
  readItem,
  readItemByUid,
  readMemberships,
  removeItem,
  removeItemsOfGrant,
  type Item,
} from './oidc-items.queries.ts'
import { isOfPortal } from './place.ts'
import { readByIssuer } from './issuer-proof.ts'

type Parts = Pick<Context, 'db' | 'clock'>

/** The adapter of one kind of thing at one instance. */
export function openStore({ db, clock }: Parts, instanceId: string, model: string): Adapter {
  const now = (): string => new Date(clock.now()).toISOString()
  const keyOf = (id: string) => ({ instanceId, model, idHash: hashOf(id) })
  const told = (item: Item | undefined): AdapterPayload | undefined =>
    item && {
      ...item.payload,
      ...(item.consumed_at ? { consumed: Date.parse(item.consumed_at) / 1000 } : {}),
    }
  return {
    async upsert(id, payload, expiresIn = 0) {
      if (model === 'AccessToken') return beginSessionOf({ db, clock }, instanceId, { token: id, payload })
      const expiresAt = new Date(clock.now() + expiresIn * 1000).toISOString()
      const { uid = null, grantId = null } = payload
      await keepItem(db, keyOf(id), { payload, uid, grantId, expiresAt })
    },
    async find(id) {
      return told(await readItem(db, keyOf(id), now()))
    },
    async findByUid(uid) {
      return told(await readItemByUid(db, { instanceId, model, uid }, now()))
    },
    // No device flow is open.
    findByUserCode: async () => undefined,
    async consume(id) {
      // Used twice at once: the library asks before, which the second one passed as well.
      if (!(await consumeItem(db, keyOf(id), now()))) throw new errors.InvalidGrant('used already')
    },
    destroy: (id) => removeItem(db, keyOf(id)),
    async revokeByGrantId(grantId) {
      await endSessionsOfGrant({ db, clock }, instanceId, grantId)
      await removeItemsOfGrant(db, instanceId, grantId)
    },
  }
}

/** An access token is the token of a session: of the person's first membership that belongs to the portal. */
async function beginSessionOf(
  { db, clock }: Parts,
  instanceId: string,
  { token, payload }: { readonly token: string; readonly payload: AdapterPayload },
): Promise<void> {
  const { accountId: personId = '', grantId } = payload
  await db.transaction(async (tx) => {
    // Whoever changes what is agreed of the issuer ends what was proven, and is waited for before that is looked at.
    await holdIssuer(tx, instanceId)
    // A new password has ended all that was proven by the old one.
    const grant = { instanceId, idHash: hashOf(grantId ?? ''), personId }
    if (!(await holdGrant(tx, grant))) throw new errors.InvalidGrant('ended')
    const all = await readMemberships(tx, instanceId, personId)
    const chosen = all.find(({ creditor_id }) => isOfPortal(payload.clientId, creditor_id))
    if (!chosen) throw new Error('a person without a membership has signed in')
    const by = await readByIssuer({ db: tx, clock }, instanceId, grantId ?? '')
    // Switched off, become another, or the only way since: what was proven proves nothing any more.
    if (!(await maySessionBegin(tx, instanceId, { personId, issuer: by?.issuer ?? null })))
      throw new errors.InvalidGrant('issuer is off')
    const from = by && { byIssuer: by.issuer, signedInAt: new Date(by.signedInAtMs).toISOString() }
    const session = { instanceId, id: chosen.id, token, grantId: grantId ?? null }
    await beginStaffSession(tx, { clock }, { ...session, ...from })
  })
}
