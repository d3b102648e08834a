/** What a provider still needs, for its managers (onboarding.ts). */
import { z } from 'zod'
import { adminCall } from '../contract.ts'
import { ONBOARDING_LACKS, ONBOARDING_STEPS } from './onboarding.ts'

/** Counted from the facts with each call. `isDone`: nothing is left that cannot wait. */
export const getOnboarding = adminCall({
  name: 'onboarding',
  right: 'provider',
  path: '/instance-providers/:id/onboarding',
  response: z.strictObject({
    isDone: z.boolean(),
    steps: z.array(
      z.strictObject({
        step: z.enum(ONBOARDING_STEPS),
        isDone: z.boolean(),
        /** It can wait. */
        isOptional: z.boolean(),
        missing: z.array(z.enum(ONBOARDING_LACKS)),
      }),
    ),
  }),
})
