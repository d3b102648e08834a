/** Another provider, made in the portal by the rules of the commands `provider --new` and `first-manager`. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isEmail } from '@kvitt/domain/form/field-rules.ts'
import type { makeInstanceProvider } from '@kvitt/domain/instances/instance-provider.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { toInstance } from '../instances/instances.ts'
import { readOwnProvider } from '../instances/own-provider.ts'
import {
  makeProviderIn,
  ProviderRefused,
  wishedRow,
  type PlainWishes,
} from '../instances/provider-settings.ts'
import {
  actorOf,
  onceByOperator,
  requireFreshSignIn,
  type AskedOnce,
  type OperatorMember,
} from '../staff/staff.ts'
import { inviteManagerIn, staffPortalOf, takeInvitation } from '../users/users.ts'

type Written = BodyOf<typeof makeInstanceProvider>

/** Each wish is looked at by itself, so that a mistake has a name. */
function checkWishes(written: Written, { row }: OperatorMember['instance']): PlainWishes {
  const { name, identificationNumber, contactInformation: contact, brandInformation: brand } = written
  const colours = { primary: brand.debtorPortalPrimaryBrandColor }
  const wishes: readonly (readonly [string, PlainWishes])[] = [
    ['name', { name }],
    ['identificationNumber', { identificationNumber }],
    ['contactInformation.phone', { phone: contact.phone }],
    ['contactInformation.email', { email: contact.email }],
    ['brandInformation.debtorPortalPrimaryBrandColor', { colours }],
  ]
  for (const [field, wish] of wishes)
    try {
      // Whose row it is makes no difference to these.
      wishedRow(row, wish)
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error
      throw new Refusal('invalid_request', {}, [field])
    }
  return { name, identificationNumber, phone: contact.phone, email: contact.email, colours }
}

/** The server does not start again with a live provider that is reached without encryption (start.ts). */
function requireReachable({ config }: Pick<Context, 'config'>, { mode }: Written): void {
  if (mode === 'live' && !config.publicUrl.startsWith('https://'))
    throw new Refusal('invalid_request', {}, ['mode'])
}

/**
 * Makes it, invites its first manager and notes the deed here and there, all or nothing. Once under a key. Refuses `sign_in_again`,
 * the field that is wrong, `another_person_needed` for the maker's own address, `invitations_throttled` and `provider_address_taken`.
 */
export async function makeNewProvider(
  context: Context,
  principal: OperatorMember,
  asked: AskedOnce,
  written: Written,
): Promise<{ readonly id: string; readonly isReplayed: boolean }> {
  const { instance } = principal
  const { urlAlias: alias, urlDomain: domain, countryCode: country, mode, manager } = written
  requireReachable(context, written)
  const wishes = checkWishes(written, instance)
  if (!isEmail(manager.email)) throw new Refusal('invalid_request', {}, ['manager.email'])
  const by = actorOf(principal)
  return onceByOperator(context, principal, asked, async (tx) => {
    // After the key is looked at: whoever asks again, late, learns what was made, and spends nothing.
    requireFreshSignIn(context, principal)
    if (manager.email.toLowerCase() === principal.email.toLowerCase())
      throw new Refusal('another_person_needed', {}, ['manager.email'])
    const place = { alias, domain, country, mode }
    const row = await makeProviderIn(context, tx, place, { colours: {}, ...wishes, pictures: {}, by }).catch(
      asRefusal,
    )
    await takeInvitation({ ...context, db: tx }, { instance, creditorId: null })
    await inviteManagerIn(context, tx, {
      instance: toInstance(row),
      email: manager.email.toLowerCase(),
      name: manager.name,
      by,
    })
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'provider_made',
      by,
      about: `instance:${row.id}`,
      after: { name: row.name, urlAlias: row.url_alias, urlDomain: row.url_domain, country, mode },
    })
    return row.id
  })
}

/** The values were checked before (checkWishes): what can still be wrong is the alias or the domain. */
function asRefusal(error: unknown): never {
  if (!(error instanceof ProviderRefused) || !error.place) throw error
  const { field, isTaken } = error.place
  throw new Refusal(isTaken ? 'provider_address_taken' : 'invalid_request', {}, [field])
}

/** As it was made, for whoever has made it. */
export async function presentMade(context: Context, id: string, { manager }: Written) {
  const made = await readOwnProvider(context.db, id)
  if (!made) throw new Error('a provider that was made is not there')
  const { name } = made.row
  const adminPortal = staffPortalOf(context, toInstance(made.row), 'admin')
  return { id, name, adminPortal, email: manager.email.toLowerCase() }
}
