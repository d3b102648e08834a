/** Which invoices a viewer may see, as SQL that every statement about a debtor's invoices starts from (decision 005). */
import { Refusal } from '@kvitt/domain/errors.ts'
import { isOpenToPairs } from '../ledger/protected-persons.queries.ts'
import { statement, type Statement } from '../platform/database/database.ts'
import { SHOWN } from '../sign-in/shown.ts'
import type { DebtSelector, FirstReader, Viewer } from '../sign-in/viewer.ts'

/** How a viewer looks at invoices. Each way has statements of its own, so that each has an index. */
export type Sight = 'pair' | 'reference' | 'link' | 'id'

/**
 * The invoices that a viewer may see, as table expressions over $1..$3 (visibleTo). A public session: the reference
 * and zip it was let in with. A debtor's: those of its debtors, by what the call names.
 */
export const VISIBLE: Readonly<Record<Sight, string>> = {
  pair: `invoice i where i.instance_id = $1 and i.payment_reference = $2 and i.zip = $3
    and ${SHOWN} and ${isOpenToPairs('i')}`,
  reference: `invoice i where i.instance_id = $1 and i.payment_reference = $2 and i.debtor_id = any($3::uuid[])
    and ${SHOWN}`,
  // Reference and zip in one value, as visibleTo joins them.
  link: `invoice i where i.instance_id = $1 and i.payment_reference = split_part($2::text, ' ', 1)
    and i.zip = split_part($2::text, ' ', 2) and i.debtor_id = any($3::uuid[]) and ${SHOWN}`,
  id: `invoice i where i.instance_id = $1 and i.id = $2::uuid and i.debtor_id = any($3::uuid[])
    and ${SHOWN}`,
}

/** Refuses a call about one invoice that names none: a session alone does not say which. */
export function sightOf(viewer: Viewer): Sight {
  switch (viewer.kind) {
    case 'public':
      return 'pair'
    case 'debtor':
      if (viewer.selector.by === 'nothing') throw new Refusal('invalid_request', {}, ['paymentReference'])
      return viewer.selector.by === 'pair' ? 'link' : viewer.selector.by
  }
}

/** An unproven pair looks at what it would see: only statements that take its guess are asked with it. */
export function visibleTo(reader: FirstReader): [string, string | null, string | readonly string[]] {
  const { id } = reader.instance
  switch (reader.kind) {
    case 'public':
    case 'unproven':
      return [id, reader.reference, reader.zip]
    case 'debtor':
      return [id, namedBy(reader.selector), reader.session.debtorIds]
  }
}

function namedBy(selector: DebtSelector): string | null {
  if (selector.by === 'pair') return `${selector.reference} ${selector.zip}`
  return selector.by === 'reference' ? selector.reference : selector.by === 'id' ? selector.id : null
}

/** One statement for each sight, made from the invoices that may be seen with it. */
export function bySight(name: string, text: (visible: string) => string): Readonly<Record<Sight, Statement>> {
  const of = (sight: Sight): Statement => statement(`${name}.${sight}`, text(VISIBLE[sight]))
  return { pair: of('pair'), reference: of('reference'), link: of('link'), id: of('id') }
}

/** D-22: without a number the oldest payable invoice of the reference, else the newest. */
export const ONE = `and ($4::text is null or i.invoice_number = $4)
  order by (i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED') and i.balance_minor > 0) desc,
    case when i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED') and i.balance_minor > 0 then i.expire_date end,
    i.created_at desc, i.id
  limit 1`
