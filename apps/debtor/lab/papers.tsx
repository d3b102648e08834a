import type { DocumentAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { queries } from '../src/calls.ts'
import { DocumentsAction, DocumentsRow } from '../src/documents/documents.tsx'
import { ListDownloads } from '../src/documents/list-downloads.tsx'
import ReceiptButton from '../src/documents/receipt-button.tsx'
import { ReceiptButton as LateReceiptButton } from '../src/documents/receipt.tsx'
import { documentsQuery } from '../src/debts/part-calls.ts'
import { FAILED, type Part } from './part.ts'
import { Pressed } from './pressed.tsx'
import { invoice, keyOf } from './samples.ts'

const paper = (topic: string, fileNameRaw: string): DocumentAnswer => ({
  type: topic,
  topic,
  fileName: fileNameRaw,
  fileNameRaw,
})
queries.setQueryData(documentsQuery(keyOf('several')).queryKey, [
  paper('REMINDER', 'Reminder 2026-10-26.pdf'),
  paper('CONNECTED_FILE', 'Meter reading.pdf'),
])
queries.setQueryData(documentsQuery(keyOf('one')).queryKey, [])

const COPY = { documents: { invoiceWithAttachments: 'copy' } }
const action = (name: string) => <DocumentsAction invoiceKey={keyOf(name)} invoice={invoice(COPY)} />
const row = (name: string) => <DocumentsRow invoiceKey={keyOf(name)} invoice={invoice(COPY)} />
const receipt = (name: string) => (
  <Pressed name="Download">
    <ReceiptButton invoiceKey={keyOf(name)} invoiceNumber="261185" look="primary" />
  </Pressed>
)
const files = <ListDownloads hasInvoices hasClaims />

/** What can be downloaded. */
export const PAPER_PARTS: readonly Part[] = [
  {
    name: 'DocumentsAction',
    place: 'facts',
    states: {
      'one paper': () => action('one'),
      'several papers': () => action('several'),
      'several papers, opened': () => <Pressed name="Download copy">{action('several')}</Pressed>,
      'the file is gone': { show: () => <Pressed name="Download">{action('one')}</Pressed>, calls: FAILED },
      'nothing could be read': {
        show: () => <DocumentsAction invoiceKey={keyOf('failed')} invoice={invoice()} />,
        calls: FAILED,
      },
    },
  },
  {
    name: 'DocumentsRow',
    isTogether: true,
    states: {
      'one paper': () => row('one'),
      'several papers, opened': () => <Pressed name="Documents">{row('several')}</Pressed>,
    },
  },
  {
    name: 'ReceiptButton',
    place: 'payment',
    states: {
      ready: () => <LateReceiptButton invoiceKey={keyOf('one')} invoiceNumber="261185" look="secondary" />,
      fetching: () => receipt('one'),
      failed: { show: () => receipt('one'), calls: FAILED },
    },
  },
  {
    name: 'ListDownloads',
    states: {
      closed: () => files,
      opened: () => <Pressed name="Download as a file">{files}</Pressed>,
      failed: {
        show: () => (
          <Pressed name="CSV">
            <Pressed name="Download as a file">{files}</Pressed>
          </Pressed>
        ),
        calls: FAILED,
      },
    },
  },
]
