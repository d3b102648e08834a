/** A creditor's keys: made, listed, revoked. Whoever makes one has shown who they are a short while ago. */
import { randomBytes } from 'node:crypto'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { makeApiKey } from '@kvitt/domain/staff/api-key.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import { JsonText } from '../platform/http/json.ts'
import { actorOf, keepApiKey, requireFreshSignIn, type ClientPrincipal } from '../staff/staff.ts'
import { readKeyJson, readKeyRow, revokeKeyRow } from './api-keys.queries.ts'

/** Makes a key and tells it, once. */
export async function makeKey(
  context: Context,
  principal: ClientPrincipal,
  { name, scopes, expiresAt = null }: BodyOf<typeof makeApiKey>,
): Promise<JsonText> {
  const member = requireFreshSignIn(context, principal)
  if (expiresAt !== null && Date.parse(expiresAt) <= context.clock.now()) {
    throw new Refusal('date_in_the_past', {}, ['expiresAt'])
  }
  const secret = `kvitt-${randomBytes(24).toString('base64url')}`
  const { instance, creditorId, membershipId } = member
  const id = newId(context.clock.now())
  const kept = [...new Set(scopes)]
  return context.db.transaction(async (tx) => {
    await keepApiKey(tx, secret, {
      instanceId: instance.id,
      id,
      creditorId,
      name,
      scopes: kept,
      madeBy: membershipId,
      expiresAt,
    })
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'api_key_made',
      by: actorOf(member),
      about: `api-key:${id}`,
      after: { scopes: kept, expiresAt },
    })
    const json = await readKeyJson(tx, member, { id })
    return new JsonText(`${json?.slice(0, -1)},"key":${JSON.stringify(secret)}}`)
  })
}

/** Refuses `not_found`: another creditor's key does not exist. */
export async function findKey(context: Context, principal: ClientPrincipal, id: string) {
  const found = await readKeyRow(context.db, principal, id)
  if (!found) throw new Refusal('not_found')
  return found
}

/** A revoked key proves nobody from the next call on. Revoked again, it stays as it is. */
export async function revokeKey(
  context: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<undefined> {
  const member = requireFreshSignIn(context, principal)
  const instanceId = member.instance.id
  const at = new Date(context.clock.now()).toISOString()
  await context.db.transaction(async (tx) => {
    if (!(await revokeKeyRow(tx, { instanceId, id, at }))) return
    await noteDeed(tx, { instanceId, kind: 'api_key_revoked', by: actorOf(member), about: `api-key:${id}` })
  })
}
