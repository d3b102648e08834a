/** Which services answer, as far as the server has seen lately. */
import { z } from 'zod'
import { openCall, instant } from '../contract.ts'

export const listServiceStates = openCall({
  name: 'serviceStates',
  path: '/public/service-states',
  response: z.strictObject({
    checkedAt: instant,
    /** `works`: it has answered lately. `silent`: it does not answer. `unknown`: nobody has asked it lately. */
    services: z.array(z.strictObject({ code: z.string(), state: z.enum(['works', 'silent', 'unknown']) })),
  }),
})
