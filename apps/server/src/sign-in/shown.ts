/** What is shown of invoices at all, as SQL about a row `i` of invoice. Every query that shows one to somebody holds it. */
import { HIDDEN_STATUSES } from '@kvitt/domain/invoices/invoice.ts'

/** In no hidden state. */
export const NOT_HIDDEN = `i.status not in (${HIDDEN_STATUSES.map((status) => `'${status}'`).join(', ')})`

/** Hidden states and negative totals are nobody's (specification section 4): acceptsLogin of the domain. */
export const SHOWN = `${NOT_HIDDEN} and i.total_minor >= 0`
