/** What a provider still needs until its first invoice is paid, counted from its books and settings with each call. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { CREDENTIAL_KINDS, TRIED_KINDS } from '@kvitt/domain/instances/credential.ts'
import { onboardingOf } from '@kvitt/domain/instances/onboarding.ts'
import type { Context } from '../context.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { isShared, showCredentials } from './credential-desk.ts'
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
  const isBankIdChosen = loginCodes.includes('BANKID')
  const expired = ownKinds.length > 0 ? await expiredKinds({ context, principal }) : []
  const offered = TRIED_KINDS.filter(
    (kind) => there.includes(kind) && (kind !== 'BANKID' || isBankIdChosen),
  ).map((kind) => ({ kind, isAccepted: acceptedKinds.includes(kind) && !expired.includes(kind) }))
  const isCounterpartyMissing = isBankIdChosen && !there.includes('BANKID')
  const logins = loginCodes.filter((code) => code !== 'BANKID' || there.includes('BANKID')).length
  const { isDone, steps } = onboardingOf({ ...facts, logins, offered, isCounterpartyMissing })
  return { isDone, steps: steps.map((line) => ({ ...line, missing: [...line.missing] })) }
}

/** What was known yesterday with a certificate that ended then is known no more. */
async function expiredKinds(asked: Asked): Promise<string[]> {
  const today = new Date(asked.context.clock.now()).toISOString().slice(0, 10)
  const { credentials } = await showCredentials(asked).catch((error: unknown) => {
    // Without the key file nobody can look into them; whoever tries them is told so.
    if (error instanceof Refusal) return { credentials: [] }
    throw error
  })
  return credentials.flatMap(({ kind, own }) => {
    const until = own?.certificate?.until
    return until !== undefined && until < today ? [kind] : []
  })
}
