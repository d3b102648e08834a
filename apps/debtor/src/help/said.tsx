import { useQuery } from '@tanstack/react-query'
import { documentsQuery } from '../debts/part-calls.ts'
import type { SubjectProps } from './debt-subject.tsx'
import DisputeFiles from './dispute-files.tsx'
import { Talk, type TalkProps } from './talk.tsx'

/** What was said about an invoice or a claim: what was sent along with a dispute, what was asked, and the answers. */
export default function Said(props: TalkProps) {
  return (
    <>
      <SentFiles {...props} />
      <Talk {...props} />
    </>
  )
}

/** What the debtor has sent along with a dispute; of an invoice also when that is over. */
function SentFiles({ debt: { key }, about }: SubjectProps) {
  const isInvoice = 'statuses' in about
  const isOpen = (isInvoice ? about.statuses.main : about.status) === 'DISPUTED'
  const documents = useQuery({ ...documentsQuery(key), enabled: isInvoice })
  if (!isOpen && !documents.data?.some(({ type }) => type === 'DISPUTE_FILE')) return null
  return <DisputeFiles debtKey={key} isOpen={isOpen} />
}
