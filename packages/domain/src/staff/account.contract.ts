/** What a person who works here does with their own account: password and sessions. */
import { z } from 'zod'
import { officeCall, instant } from '../contract.ts'

export const ownSession = z.strictObject({
  id: z.uuid(),
  /** The one that asks. */
  isThis: z.boolean(),
  /** What it works for; null for the operator. */
  creditor: z.string().nullable(),
  signedInAt: instant,
  usedAt: instant,
  endsAt: instant,
})

/** Sessions of this person at this provider that have not ended, the one used last first. */
export const listOwnSessions = officeCall({
  name: 'ownSessions',
  right: 'own_account',
  path: '/account/sessions',
  response: z.array(ownSession),
})

/** Ends every session of this person but the one that asks. */
export const endOtherSessions = officeCall({
  name: 'endOtherSessions',
  right: 'own_account',
  method: 'DELETE',
  path: '/account/sessions',
  status: 204,
  response: z.undefined(),
})

/** Another password. Every other session ends, and the person is told by e-mail. */
export const changePassword = officeCall({
  name: 'changePassword',
  right: 'own_account',
  method: 'PUT',
  path: '/account/password',
  body: z.object({ current: z.string().min(1).max(200), password: z.string().min(1).max(200) }),
  status: 204,
  response: z.undefined(),
  refusals: ['issuer_session', 'password_wrong', 'password_too_weak', 'sign_in_throttled'],
})
