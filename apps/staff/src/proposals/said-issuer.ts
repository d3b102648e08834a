/** What a proposed issuer says of itself, in words. */
import { t } from '../text.ts'
import type { Proposal } from './proposal-calls.ts'

type State = Proposal['before']

/** The secret is told of as another one, or none: nobody reads it. */
export const ISSUER_TERMS = [
  'issuer',
  'clientId',
  'secret',
  'domains',
  'isOn',
  'isRequired',
  'countsAsBoth',
] as const
type IssuerTerm = (typeof ISSUER_TERMS)[number]

export function saidIssuer(state: State, term: IssuerTerm): string {
  const value = state[term]
  if (typeof value === 'boolean') return t(value ? 'issuer.yes' : 'issuer.no')
  return typeof value === 'string' ? value : ''
}

export function withSecret(proposal: Proposal): Proposal {
  const { before, after } = proposal
  const isOther = before['secretId'] !== after['secretId']
  return { ...proposal, after: { ...after, secret: t(isOther ? 'issuer.secret.new' : 'issuer.secret.same') } }
}
