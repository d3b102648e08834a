/** The ways to log in and to pay of the provider, in the order in which debtors see them, and what stands in the way of each. */
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { TriedKind } from '@kvitt/domain/instances/credential.ts'
import type { WayState } from '@kvitt/domain/instances/service-provider.ts'
import type { listServiceProviders } from '@kvitt/domain/instances/service-provider.contract.ts'
import type { Context } from '../context.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { isShared, showCredentials } from './credential-desk.ts'
import { readFacts } from './onboarding.queries.ts'

type Ways = AnswerOf<typeof listServiceProviders>
type Way = Ways['logins'][number]
type Asked = { readonly context: Context; readonly principal: OperatorMember }

/** What is shown of the provider's own; undefined without the key that it is encrypted with. */
async function shownOrNone(asked: Asked) {
  try {
    return (await showCredentials(asked)).credentials
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

type Known = { readonly ownKinds: readonly string[]; readonly acceptedKinds: readonly string[] }

/** A way whose counterparty knows the provider by a certificate. */
async function certifiedWays(
  asked: Asked,
  { ownKinds, acceptedKinds }: Known,
): Promise<(kind: TriedKind) => Omit<Way, 'code'>> {
  const today = new Date(asked.context.clock.now()).toISOString().slice(0, 10)
  const shown = await shownOrNone(asked)
  return (kind) => {
    const own = shown?.find((one) => one.kind === kind)?.own
    const until = own?.certificate?.until ?? null
    const isThere = ownKinds.includes(kind) || isShared(asked.context, asked.principal, kind)
    const stateOf = (): WayState => {
      if (!isThere) return 'MISSING'
      if (ownKinds.includes(kind) && own?.isReadable !== true) return 'UNREADABLE'
      if (until !== null && until < today) return 'EXPIRED'
      return acceptedKinds.includes(kind) ? 'TRIED' : 'NOT_TRIED'
    }
    return { state: stateOf(), until }
  }
}

/** Counted from the provider's settings and what is entered, with each call. */
export async function showWays({ context, principal }: Asked): Promise<Ways> {
  const { instance } = principal
  const facts = await readFacts(context.db, instance.id)
  if (!facts) throw new Refusal('not_found')
  const { loginCodes, fundsAccounts } = facts
  const certified = await certifiedWays({ context, principal }, facts)
  const off = (code: string): Way => ({ code, state: 'OFF', until: null })
  const others = context.gateways
    .filter(({ code }) => code !== 'SWISH')
    .map((gateway): Way => {
      const isPaid = gateway.payeeOf(instance) !== undefined
      return { code: gateway.code, state: isPaid ? 'SHARED' : 'MISSING', until: null }
    })
  return {
    logins: [
      loginCodes.includes('BANKID') ? { code: 'BANKID', ...certified('BANKID') } : off('BANKID'),
      loginCodes.includes('PAYMENT_REFERENCE')
        ? { code: 'PAYMENT_REFERENCE', state: 'READY', until: null }
        : off('PAYMENT_REFERENCE'),
    ],
    payments: [
      ...others,
      { code: 'SWISH', ...certified('SWISH') },
      { code: 'BANK_TRANSFER', state: fundsAccounts > 0 ? 'READY' : 'NO_ACCOUNT', until: null },
    ],
  }
}
