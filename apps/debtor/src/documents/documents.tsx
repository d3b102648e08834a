import type { DocumentAnswer, InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { documentsQuery } from '../debts/part-calls.ts'
import type { InvoiceKey } from '../session.ts'
import { t } from '../text.ts'
import { MissingDocument } from '../debts/missing-document.tsx'
import look from '../shell/text-action.module.css'
import css from './documents.module.css'
import type { Copy } from './save-copy.ts'

type DocumentsProps = { invoiceKey: InvoiceKey; invoice: InvoiceAnswer }

const TOPICS = ['INVOICE', 'REMINDER', 'PAYMENT', 'CONNECTED_FILE']
/** What the debtor has sent stands by itself: a copy to download is the creditor's. */
const HIDDEN_TYPES = ['INVOICE_PREVIEW', 'INVOICE', 'DISPUTE_FILE']
const WHOLE = 'INVOICE_WITH_ATTACHMENTS'

/** The invoice with its attachments first, then the other papers (specification section 3). */
function copiesOf(invoice: InvoiceAnswer, documents: readonly DocumentAnswer[]): Copy[] {
  const whole = invoice.documents.invoiceWithAttachments ?? invoice.document.invoiceWithAttachments
  const others = documents
    .filter(
      (d) =>
        TOPICS.includes(d.topic) && !HIDDEN_TYPES.includes(d.type) && (d.type !== WHOLE || whole === null),
    )
    .map((d) => ({ fileName: d.fileName, title: d.fileNameRaw.replace(/\.pdf$/, ''), saveAs: d.fileNameRaw }))
  const title = t('invoice.heading', { number: invoice.invoiceNumber })
  const first = { fileName: whole ?? '', title, saveAs: `${title}.pdf` }
  return whole ? [first, ...others] : others
}

/** The copies, and how one is fetched; says in place when it is not there (D-33). */
function useCopies({ invoiceKey: key, invoice }: DocumentsProps) {
  const documents = useQuery(documentsQuery(key))
  const [failure, setFailure] = useState<unknown>()
  const copies = copiesOf(invoice, documents.data ?? [])
  const download = async (copy: Copy) => {
    setFailure(undefined)
    try {
      const { saveCopy } = await import('./save-copy.ts')
      await saveCopy(key, copy, copiesOf)
    } catch (error) {
      setFailure(error)
    }
  }
  const why = failure ?? (copies[0] ? undefined : documents.error)
  return { copies, download, missing: <MissingDocument failure={why} text="invoice.document_missing" /> }
}

/** On wide screens: one button, or a menu when there are several. */
export function DocumentsAction(props: DocumentsProps) {
  const { copies, download, missing } = useCopies(props)
  const menuId = useId()
  const [only, ...more] = copies
  if (!only) return missing
  return (
    <div className={css.action}>
      {more.length === 0 ? (
        <button type="button" className={look.action} onClick={() => void download(only)}>
          <Icon name="download" size={20} />
          {t('invoice.download_copy')}
        </button>
      ) : (
        <>
          <button type="button" className={`${look.action} ${css.button}`} popoverTarget={menuId}>
            <Icon name="download" size={20} />
            {t('invoice.download_copy')}
            <Icon name="chevron-down" size={20} />
          </button>
          <ul className={css.menu} id={menuId} popover="auto">
            <CopyList copies={copies} onDownload={download} />
          </ul>
        </>
      )}
      {missing}
    </div>
  )
}

/** On narrow screens: an expander. */
export function DocumentsRow(props: DocumentsProps) {
  const { copies, download, missing } = useCopies(props)
  if (!copies[0]) return missing
  return (
    <Disclosure
      icon="document"
      title={
        <>
          {t('invoice.documents')} <span className={css.count}>({copies.length})</span>
        </>
      }
    >
      <ul>
        <CopyList copies={copies} onDownload={download} />
      </ul>
      {missing}
    </Disclosure>
  )
}

function CopyList({
  copies,
  onDownload,
}: {
  copies: readonly Copy[]
  onDownload: (copy: Copy) => Promise<void>
}) {
  return copies.map((copy) => (
    <li key={copy.fileName}>
      <button type="button" className={look.row} onClick={() => void onDownload(copy)}>
        <Icon name="download" size={20} />
        {/* A date or a number is not broken where it has a hyphen. */}
        <span>{copy.title.replaceAll('-', '\u2011')}</span>
      </button>
    </li>
  ))
}
