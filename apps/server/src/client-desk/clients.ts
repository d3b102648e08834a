/** Creditors that an operator's people enter, and how each is reached. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import {
  CONTACT_FIELDS,
  wrongClientField,
  type ClientContact,
  type NewClient,
} from '@kvitt/domain/creditors/client.ts'
import type { changeClient, createClient } from '@kvitt/domain/creditors/client.contract.ts'
import { creditorIdentity } from '@kvitt/domain/people/party-identity.ts'
import { normaliseZip } from '@kvitt/domain/references.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import { actorOf, onceByOperator, rightsOf, type AskedOnce, type OperatorMember } from '../staff/staff.ts'
import { changeClientRow, insertClientRow, lockClientRow } from './client-rows.queries.ts'

/** What stands empty is not there. */
const orNull = (text: string | null | undefined): string | null => text || null

function contactOf(
  written: Omit<BodyOf<typeof createClient>, 'countryCode' | 'identificationNumber'>,
): ClientContact {
  const { name, email, phone, address, address2, zip, city } = written
  return {
    name,
    email: orNull(email),
    phone: orNull(phone),
    address: orNull(address),
    address2: orNull(address2),
    zip: zip ? normaliseZip(zip) : null,
    city: orNull(city),
  }
}

/**
 * Enters a creditor. Once under a key: the same again answers the same creditor. Refuses the field that is wrong, and
 * `client_exists` when the provider has one with this number.
 */
export function makeClient(
  context: Context,
  principal: OperatorMember,
  asked: AskedOnce,
  written: BodyOf<typeof createClient>,
): Promise<{ readonly id: string; readonly isReplayed: boolean }> {
  const { id: instanceId, timeZone } = principal.instance
  const { countryCode, identificationNumber } = written
  const client: NewClient = { ...contactOf(written), countryCode, identificationNumber }
  const at = { country: countryCode, today: context.clock.today(timeZone) }
  const wrong = wrongClientField(client, at)
  if (wrong !== undefined) throw new Refusal('invalid_request', {}, [wrong])
  return onceByOperator(context, principal, asked, async (tx) => {
    const id = newId(context.clock.now())
    const identity = creditorIdentity({ name: client.name, country: countryCode, identificationNumber })
    if (!(await insertClientRow(tx, { instanceId, id, identity, client })))
      throw new Refusal('client_exists', {}, ['identificationNumber'])
    const about = `creditor:${id}`
    await noteDeed(tx, { instanceId, kind: 'creditor_made', by: actorOf(principal), about, after: client })
    return id
  })
}

/**
 * How a creditor is reached, from now on. What is left out stays, null clears. The same again changes nothing. Refuses
 * `changed_meanwhile`, and the field that is wrong.
 */
export async function changeContact(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  principal: OperatorMember,
  { id, written }: { readonly id: string; readonly written: BodyOf<typeof changeClient> },
): Promise<void> {
  const named = CONTACT_FIELDS.filter((name) => written[name] !== undefined)
  if (named.length === 0) return
  if (!rightsOf(principal).includes('creditors')) throw new Refusal('not_allowed')
  if (written.version === undefined) throw new Refusal('invalid_request', {}, ['version'])
  const { id: instanceId, timeZone } = principal.instance
  await db.transaction(async (tx) => {
    const before = await lockClientRow(tx, { instanceId, id })
    if (!before) throw new Refusal('not_found')
    const { version, country, ...kept } = before
    if (version !== written.version) throw new Refusal('changed_meanwhile', {}, ['version'])
    const sent = Object.fromEntries(named.map((name) => [name, written[name]]))
    const contact = contactOf({ ...kept, ...sent })
    // What a file has brought may break the rules: only what is changed has to keep them.
    const changed = named.filter((name) => contact[name] !== kept[name])
    const part = Object.fromEntries(changed.map((name) => [name, contact[name]]))
    const wrong = wrongClientField(part, { country, today: clock.today(timeZone) })
    if (wrong !== undefined) throw new Refusal('invalid_request', {}, [wrong])
    if (changed.length === 0) return
    await changeClientRow(tx, { instanceId, id, contact })
    const about = `creditor:${id}`
    const by = actorOf(principal)
    const was = Object.fromEntries(changed.map((name) => [name, kept[name]]))
    await noteDeed(tx, { instanceId, kind: 'creditor_changed', by, about, before: was, after: part })
  })
}
