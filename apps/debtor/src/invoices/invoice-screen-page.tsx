import { hasEarlyAnswer } from '@kvitt/ui/start/early-answer.ts'
import { readyPage } from '@kvitt/ui/start/ready-page.ts'
import { invoiceCall, invoiceQuery, queries } from '../calls.ts'
import type { InvoiceKey } from '../session.ts'
import {
  clientQuery,
  documentsQuery,
  eventsQuery,
  methodsQuery,
  refreshedPaymentsQuery,
} from '../debts/part-calls.ts'
import { InvoiceDoor } from '../sign-in/invoice-door.tsx'
import { claimOf, isAccepted, pinnedKey } from '../sign-in/open-session.ts'
import { readView } from '../views.ts'
import InvoicePage from './invoice-page.tsx'

/** An invoice behind its door. */
function InvoiceScreen(props: { address: InvoiceKey; autologin: boolean }) {
  return <InvoiceDoor {...props}>{(key) => <InvoicePage invoiceKey={key} />}</InvoiceDoor>
}

/** After this long the page is made without what has been asked for ahead, and shows that it waits. */
const LONGEST_AHEAD_MS = 2000

/**
 * The invoice that the head of the page has asked for is taken before the page is made, so that it is made once; and what
 * its page asks for is asked for as soon as the door would open. A refusal is for the page's own door to take.
 */
async function askAhead(): Promise<void> {
  const view = readView(location.hash)
  if (view.name !== 'invoice' || !(await hasEarlyAnswer(`/api${invoiceCall('GET', view.key, '').path}`)))
    return
  const invoice = await queries.fetchQuery(invoiceQuery(view.key))
  if (!isAccepted(invoice) || claimOf(invoice, view.key)) return
  const key = pinnedKey(view.key, invoice)
  const ask = queries.prefetchQuery.bind(queries)
  void ask(refreshedPaymentsQuery(key))
  if (invoice.statuses.main === 'ACTIVATED') void ask(methodsQuery(key))
  void ask(eventsQuery(key))
  void ask(clientQuery(key))
  void ask(documentsQuery(key))
}

async function prepare(): Promise<void> {
  const longest = new Promise((settle) => setTimeout(settle, LONGEST_AHEAD_MS))
  await Promise.all([readyPage(), Promise.race([askAhead().catch(() => {}), longest])])
}

export default Object.assign(InvoiceScreen, { prepare })
