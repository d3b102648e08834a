/** Who is signed in, as what, and what they may. */
import type { CreditorRole, StaffRight } from '@kvitt/domain/staff/roles.ts'
import { dropTokens, isSignedIn, keepTokens, readAuthorization } from '@kvitt/office/session/tokens.ts'
import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { api, queries } from '../calls.ts'

type Membership = {
  readonly id: string
  readonly role: CreditorRole
  readonly creditor: { readonly id: string; readonly name: string }
}

export type Me = {
  readonly person: { readonly name: string; readonly email: string }
  readonly membership: Membership
  readonly memberships: readonly Membership[]
  readonly rights: readonly StaffRight[]
}

const SESSION = '/client/session'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.ask({ method: 'GET', path: SESSION }, { signal }) as Promise<Me>,
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

/** Goes on as another membership: everything that is shown is that of another creditor. */
export async function switchMembership(membershipId: string): Promise<void> {
  const answer = (await api.ask({ method: 'POST', path: SESSION }, { body: { membershipId } } as never)) as {
    readonly access_token: string
  }
  keepTokens({ accessToken: answer.access_token })
  queries.clear()
}

/** Ends the session here and at the server; whether that hears it or not, nothing stays. */
export function leaveSession(): void {
  const authorization = readAuthorization()
  if (isSignedIn() && authorization) {
    const headers = { Authorization: authorization }
    void fetch(`/api${SESSION}`, { method: 'DELETE', headers }).catch(() => undefined)
  }
  dropTokens()
  queries.clear()
}
