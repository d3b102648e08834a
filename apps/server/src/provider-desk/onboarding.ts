/** What a provider still needs until its first invoice is paid, counted from its books and settings with each call. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { CREDENTIAL_KINDS, TRIED_KINDS } from '@kvitt/domain/instances/credential.ts'
import { onboardingOf } from '@kvitt/domain/instances/onboarding.ts'
import type { Context } from '../context.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { isShared } from './credential-desk.ts'
import { readFacts } from './onboarding.queries.ts'

type Asked = { readonly context: Context; readonly principal: OperatorMember }

/** Every step, and whether it is done. */
export async function showOnboarding({ context, principal }: Asked) {
  const row = await readFacts(context.db, principal.instance.id)
  if (!row) throw new Refusal('not_found')
  const { loginCodes, ownKinds, acceptedKinds, ...facts } = row
  const there = CREDENTIAL_KINDS.filter(
    (kind) => ownKinds.includes(kind) || isShared(context, principal, kind),
  )
  const offered = TRIED_KINDS.filter((kind) => there.includes(kind)).map((kind) => ({
    kind,
    isAccepted: acceptedKinds.includes(kind),
  }))
  const logins = loginCodes.filter((code) => code !== 'BANKID' || there.includes('BANKID')).length
  const { isDone, steps } = onboardingOf({ ...facts, logins, offered, counterparties: there.length })
  return { isDone, steps: steps.map((line) => ({ ...line, missing: [...line.missing] })) }
}
