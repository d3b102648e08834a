/** The ways to log in and to pay of a provider, and what stands in the way of each. */
import { z } from 'zod'
import { adminCall, day } from '../contract.ts'
import { WAY_STATES } from './service-provider.ts'

const way = z.strictObject({
  code: z.string(),
  state: z.enum(WAY_STATES),
  /** The last day of its own certificate. */
  until: day.nullable(),
})

export const listServiceProviders = adminCall({
  name: 'serviceProviders',
  right: 'see',
  path: '/service-providers',
  /** In the order in which debtors see them. */
  response: z.strictObject({ logins: z.array(way), payments: z.array(way) }),
})
