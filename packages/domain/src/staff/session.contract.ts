/** The session of staff: who is signed in, as what, and its end. */
import { z } from 'zod'
import { officeCall, instant } from '../contract.ts'
import { CREDITOR_ROLES, OPERATOR_ROLES, STAFF_RIGHTS } from './roles.ts'

const membership = z.strictObject({
  id: z.uuid(),
  role: z.enum([...CREDITOR_ROLES, ...OPERATOR_ROLES]),
  /** Null for an operator's staff, whose membership is of the instance. */
  creditor: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
})

export const staffSession = z.strictObject({
  person: z.strictObject({ name: z.string(), email: z.string() }),
  /** What this session works as. */
  membership,
  /** All that the person may change to. One of the other kind of staff goes on in the other portal. */
  memberships: z.array(membership),
  rights: z.array(z.enum(STAFF_RIGHTS)),
  /** When the person has last shown who they are: some acts need that to be a short while ago. */
  signedInAt: instant,
  endsAt: instant,
})

export const getStaffSession = officeCall({
  name: 'staffSession',
  right: 'own_account',
  path: '/session',
  response: staffSession,
})

/** Goes on as another membership of the same person: a new token, and the old one ends. */
export const changeMembership = officeCall({
  name: 'changeMembership',
  right: 'own_account',
  method: 'POST',
  path: '/session',
  body: z.object({ membershipId: z.uuid() }),
  response: z.strictObject({ access_token: z.string(), token_type: z.literal('Bearer') }),
})

export const endStaffSession = officeCall({
  name: 'endStaffSession',
  right: 'own_account',
  method: 'DELETE',
  path: '/session',
  status: 204,
  response: z.undefined(),
})
