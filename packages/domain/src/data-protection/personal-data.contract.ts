/** What a provider holds about one person, handed out on request (GDPR art. 15). */
import { z } from 'zod'
import { adminCall, instant } from '../contract.ts'
import { typedLines } from '../typed-text.contract.ts'

/** A file of everything: JSON as it stands, or with `Accept: application/pdf` (or CSV, a spreadsheet) the same as a table. */
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
  alsoFiles: [
    'application/pdf',
    'text/csv',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
})
