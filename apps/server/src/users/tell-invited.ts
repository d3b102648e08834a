/** Whoever is to work here is told so by e-mail, with a way in. */
import { randomBytes } from 'node:crypto'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { isToLink } from '../issuers/issuers.ts'
import { queueToStaff } from '../mail/mail.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { textOf } from '../platform/texts.ts'
import { dropFactorOfIssuer } from '../second-factor/second-factor.ts'
import { takeTry } from '../sign-in/sign-in.ts'
import { hashOf, type CreditorMember, type OperatorMember } from '../staff/staff.ts'
import { passwordPageOf, staffPortalOf, type StaffPortal } from './password-link.ts'
import { hasChosenPassword, insertInvitationRow, readCreditorName } from './users.queries.ts'

const DAY_MS = 24 * 60 * 60_000
const INVITED_MS = 3 * DAY_MS
/** By one creditor, or the operator, in a day. */
const MOST_INVITED = 50

export type Member = CreditorMember | OperatorMember
/** Whose people somebody is to be one of: a creditor's, or the operator's. */
type Where = Pick<Member, 'instance' | 'creditorId'>

export const portalOf = ({ creditorId }: Pick<Where, 'creditorId'>): StaffPortal =>
  creditorId === null ? 'admin' : 'client'

/** Each invitation is an e-mail in the provider's name to an address that somebody typed. In a transaction it is spent with it. */
export async function takeInvitation(
  context: Pick<Context, 'clock' | 'guessKey'> & { readonly db: Connection },
  { instance, creditorId }: Where,
): Promise<void> {
  const of = creditorId === null ? ['operator'] : ['creditor', creditorId]
  const budgets = [{ name: JSON.stringify(of), limit: MOST_INVITED }]
  if (!(await takeTry(context, instance, { scope: 'staff-invited', budgets, windowMs: DAY_MS })))
    throw new Refusal('invitations_throttled')
}

type Invited = {
  readonly member: Where
  readonly personId: string
  readonly id: string
  readonly email: string
  readonly name: string
  readonly isAgain?: boolean
}

/**
 * Who has a way in already is told that there is one more place to work in; who has none is asked to choose a password, or to sign in at the
 * provider's own issuer, where the address is of one of its domains. `isAgain`: to link an account there once more. Answers the link of
 * the message.
 */
export async function tell(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  invited: Invited,
): Promise<string> {
  const { member, personId, id, email, name, isAgain = false } = invited
  const { instance } = member
  const person = { id: personId, email, name }
  if (!isAgain) await dropFactorOfIssuer(context, tx, { instance, person, within: 'elsewhere' })
  const portal = portalOf(member)
  const there = await isToLink(tx, { instanceId: instance.id, personId, email })
  const isLinking = there === 'yes' || (there === 'again' && isAgain)
  const isKnown = !isLinking && (there === 'again' || (await hasChosenPassword(tx, personId)))
  const token = randomBytes(32).toString('base64url')
  const invitationId = newId(context.clock.now())
  if (!isKnown) {
    const expiresAt = new Date(context.clock.now() + INVITED_MS).toISOString()
    const row = { instanceId: instance.id, id: invitationId, membershipId: id, personId }
    await insertInvitationRow(tx, { ...row, tokenHash: hashOf(token), expiresAt })
  }
  const link = isKnown
    ? staffPortalOf(context, instance, portal)
    : passwordPageOf(context, instance, { token, portal })
  queueToStaff(context, tx, {
    kind: isKnown ? 'staff_added' : 'staff_invited',
    cause: isKnown ? `membership:${id}` : `invitation:${invitationId}`,
    instance,
    recipient: email,
    params: {
      name,
      creditor:
        member.creditorId === null
          ? textOf(instance.language, 'mail.operators_portal')
          : await readCreditorName(tx, member),
      link,
    },
  })
  return link
}
