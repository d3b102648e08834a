import { readyPage } from '@kvitt/ui/start/ready-page.ts'
import type { InvoiceKey } from '../session.ts'
import { InvoiceDoor } from '../sign-in/invoice-door.tsx'
import InvoicePage from './invoice-page.tsx'

/** An invoice behind its door. */
function InvoiceScreen(props: { address: InvoiceKey; autologin: boolean }) {
  return <InvoiceDoor {...props}>{(key) => <InvoicePage invoiceKey={key} />}</InvoiceDoor>
}

export default Object.assign(InvoiceScreen, { prepare: readyPage })
