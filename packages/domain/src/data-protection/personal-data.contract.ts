/** What a provider holds about one person, handed out on request (GDPR art. 15). */
import { z } from 'zod'
import { adminCall, instant } from '../contract.ts'
import { typedLines } from '../typed-text.contract.ts'

/** Everything at once, as JSON. As a file, to read or to move, a job makes it (person-export.contract.ts). */
export const exportPerson = adminCall({
  name: 'exportPerson',
  right: 'export_person',
  method: 'POST',
  path: '/debtors/:id/personal-data',
  /** Who asked and how that was made sure of. */
  body: z.strictObject({ reason: typedLines(500).min(1) }),
  response: z.strictObject({
    at: instant,
    provider: z.string(),
    /** Rows of debtors that are this person: by the same number. */
    debtors: z.array(z.uuid()),
    /** Rows without a number that have the same e-mail, or name and zip. They are not in the file: a person has to look. */
    perhaps: z.array(z.uuid()),
    /** Every row, by the kind of thing; columns as they are kept, amounts in minor units. */
    rows: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  }),
})
