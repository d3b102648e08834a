import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { FactList } from '@kvitt/ui/values/fact-list.tsx'
import { useQuery } from '@tanstack/react-query'
import { financialEventsQuery } from '../debts/part-calls.ts'
import type { InvoiceKey } from '../session.ts'
import { sumFacts } from '../debts/sum-facts.ts'

type SumProps = { invoiceKey: InvoiceKey; invoice: InvoiceAnswer }

/** What the amount of an invoice is made of. */
export default function SumList({ invoiceKey, invoice }: SumProps) {
  const events = useQuery(financialEventsQuery(invoiceKey))
  const facts = sumFacts(
    invoice.balances,
    events.data ?? [],
    invoice.currency.invoiceCurrency,
    invoice.statuses.main === 'STOPPED' ? 'invoice.closed_amount' : 'invoice.total_due',
  )
  return <FactList facts={facts} />
}
