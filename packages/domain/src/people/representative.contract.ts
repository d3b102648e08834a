/** Who acts for a debtor: entered and ended by the operator's people. */
import { z } from 'zod'
import { adminCall, day } from '../contract.ts'
import { typedLine, typedLines } from '../typed-text.contract.ts'
import { officeDebtorDetail } from './office-debtor.contract.ts'
import { REPRESENTATIVE_KINDS } from './representative.ts'

/**
 * Whoever enters it has seen the proof, which `source` names. From then on letters go to the guardian. A debtor has one guardian at a
 * time: `representative_stands`.
 */
export const enterRepresentative = adminCall({
  name: 'enterRepresentative',
  right: 'answer_flag',
  method: 'POST',
  path: '/debtors/:id/representatives',
  takesKey: true,
  body: z.strictObject({
    kind: z.enum(REPRESENTATIVE_KINDS),
    name: typedLine(200),
    email: typedLine(254).nullish(),
    phone: typedLine(40).nullish(),
    address: typedLine(200),
    address2: typedLine(200).nullish(),
    zip: typedLine(20),
    city: typedLine(100),
    countryCode: typedLine(2),
    source: typedLine(200),
    until: day.nullish(),
  }),
  response: officeDebtorDetail,
  refusals: [
    'invalid_request',
    'invalid_email',
    'day_out_of_reach',
    'guardian_unneeded',
    'representative_stands',
    'idempotency_key_reused',
  ],
})

/** They act no longer: a minor's or ward's debts rest again, and somebody is asked. */
export const endRepresentative = adminCall({
  name: 'endRepresentative',
  right: 'answer_flag',
  method: 'POST',
  path: '/representatives/:id/end',
  takesKey: true,
  body: z.strictObject({ reason: typedLines(500) }),
  response: officeDebtorDetail,
  refusals: ['why_required', 'act_not_open', 'idempotency_key_reused'],
})
