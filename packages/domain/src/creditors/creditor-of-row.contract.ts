/** Whose a row is. */
import { z } from 'zod'

/** The creditor of a row: always the same for a creditor's own staff, one of all for an operator's. */
export const creditorOfRow = z.strictObject({ id: z.uuid(), name: z.string() })
