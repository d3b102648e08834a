/** The people who work for a creditor or for the operator: invited, listed, given another role, removed. */
import { z } from 'zod'
import { clientCall, instant, officeCall, LIST_QUERY, noBody, searchBody } from '../contract.ts'
import { STAFF_ROLES } from './roles.ts'
import { typedLine } from '../typed-text.contract.ts'

export const user = z.strictObject({
  id: z.uuid(),
  version: z.number().int(),
  email: z.string(),
  name: z.string(),
  role: z.enum(STAFF_ROLES),
  /** What another manager has still to agree to. */
  proposedRole: z.literal('manager').nullable(),
  /** Has not come here yet: then `name` is what the invitation says. */
  isInvited: z.boolean(),
  /** Signs in with a code after the password. */
  hasSecondFactor: z.boolean(),
  createdAt: instant,
  signedInAt: instant.nullable(),
})

export const searchUsers = officeCall({
  name: 'searchUsers',
  right: 'users',
  method: 'POST',
  path: '/users/search',
  query: z.object(LIST_QUERY),
  body: searchBody,
  response: z.array(user),
  refusals: ['invalid_filter', 'invalid_paging'],
})

export const inviteUser = officeCall({
  name: 'inviteUser',
  right: 'users',
  method: 'POST',
  path: '/users',
  status: 201,
  body: z.object({
    email: z.email().max(254),
    name: typedLine(200),
    role: z.enum(STAFF_ROLES),
  }),
  response: user,
  refusals: ['sign_in_again', 'already_a_user', 'invitations_throttled', 'invalid_request'],
})

/**
 * Another role. A manager is only proposed by it: another manager of the creditor agrees; of an operator's it is a proposal (`proposals`).
 */
export const changeUser = officeCall({
  name: 'changeUser',
  right: 'users',
  method: 'PUT',
  path: '/users/:id',
  body: z.object({ role: z.enum(STAFF_ROLES), version: z.number().int() }),
  response: user,
  refusals: ['sign_in_again', 'changed_meanwhile', 'last_manager', 'invalid_request', 'proposal_open'],
})

export const approveUser = clientCall({
  name: 'approveUser',
  right: 'users',
  method: 'POST',
  path: '/users/:id/approve',
  body: noBody,
  response: user,
  refusals: ['sign_in_again', 'nothing_proposed', 'another_person_needed'],
})

export const removeUser = officeCall({
  name: 'removeUser',
  right: 'users',
  method: 'DELETE',
  path: '/users/:id',
  status: 204,
  response: z.undefined(),
  refusals: ['sign_in_again', 'last_manager'],
})

/** For somebody who has lost their second factor: it is gone, they are signed out everywhere, and told by e-mail. */
export const resetSecondFactor = officeCall({
  name: 'resetSecondFactor',
  right: 'users',
  method: 'POST',
  path: '/users/:id/reset-second-factor',
  body: noBody,
  response: user,
  refusals: ['sign_in_again', 'another_person_needed', 'no_second_factor', 'second_factor_of_others'],
})

/** Sends a link with which another password is chosen; to who has never chosen one, another invitation. */
export const resetUser = officeCall({
  name: 'resetUser',
  right: 'users',
  method: 'POST',
  path: '/users/:id/reset',
  body: noBody,
  response: user,
  refusals: ['sign_in_again', 'invitations_throttled'],
})
