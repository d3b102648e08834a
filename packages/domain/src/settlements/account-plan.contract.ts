/** On which accounts of its own books a creditor keeps its settlements. */
import { z } from 'zod'
import { clientCall, day } from '../contract.ts'
import { ACCOUNT_ROLES } from './account-plan.ts'

const account = z.strictObject({
  /** As the SIE standard has it: digits. */
  number: z.string().regex(/^\d{4,6}$/),
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[^\p{Cc}]+$/u),
})
const chosen = z.partialRecord(z.enum(ACCOUNT_ROLES), account)
const plan = z.strictObject({
  /** What holds today, all of it. */
  accounts: z.record(z.enum(ACCOUNT_ROLES), account),
  /** What was chosen, in the order of its days; what is left out is as BAS has it. */
  chosen: z.array(z.strictObject({ from: day, accounts: chosen })),
})

export const getAccountPlan = clientCall({
  name: 'accountPlan',
  right: 'see',
  path: '/settings/account-plan',
  response: plan,
})

/** From a day on, which may be past: files are made anew each time. The same again changes nothing. */
export const chooseAccountPlan = clientCall({
  name: 'chooseAccountPlan',
  right: 'settings',
  method: 'PUT',
  path: '/settings/account-plan',
  body: z.strictObject({ from: day, accounts: chosen }),
  response: plan,
  refusals: ['invalid_request'],
})
