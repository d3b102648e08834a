/** Who is signed in, as what, and what they may. */
import type { StaffRight } from '@kvitt/domain/staff/roles.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getStaffSession } from '@kvitt/domain/staff/session.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { dropTokens, isSignedIn, keepTokens, readAuthorization } from '@kvitt/office/session/tokens.ts'
import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { api, queries } from '../calls.ts'
import { addressOf, isAdmin, PORTAL } from './portal.ts'

export type Me = AnswerOf<typeof getStaffSession>

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/session'), { signal }),
  staleTime: 60_000,
})

export const MeContext = createContext<Me | undefined>(undefined)

/** Whoever is signed in. Only below the frame, which waits for it. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error('nobody is signed in here')
  return me
}

/** May whoever is here do this? What they may not do is not shown. */
export function useRight(right: StaffRight): boolean {
  return useMe().rights.includes(right)
}

/** What somebody works for: a creditor, or the provider itself. */
export const workplaceOf = ({ creditor }: Me['membership'], provider: string): string =>
  creditor?.name ?? provider

/** Who writes invoices: a creditor's own staff, whose they are. */
export function useMayDraft(): boolean {
  return useRight('draft') && !isAdmin
}

/** Goes on as another membership: everything that is shown is that of another creditor, or of the operator in its own portal. */
export async function switchMembership({ id, creditor }: Me['membership']): Promise<void> {
  const answer = await api.ask(staffCall('POST', '/client/session'), { body: { membershipId: id } })
  keepTokens({ accessToken: answer.access_token })
  // On a host of its own the other portal does not see what this one keeps, and asks for a sign-in.
  if ((creditor === null) !== isAdmin) location.assign(addressOf(isAdmin ? 'client' : 'admin'))
  queries.clear()
}

/** Ends the session here and at the server; whether that hears it or not, nothing stays. */
export function leaveSession(): void {
  const authorization = readAuthorization()
  if (isSignedIn() && authorization) {
    const headers = { Authorization: authorization }
    void fetch(`/api/${PORTAL}/session`, { method: 'DELETE', headers }).catch(() => undefined)
  }
  dropTokens()
  queries.clear()
}
