import type { DocumentAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { OfficeIcon } from '@kvitt/office/parts/office-icon.tsx'
import { t } from '../text.ts'
import css from './documents.module.css'

/** The letters as the debtor has them. A name opens its file for a short time. */
export function Documents({ documents }: { documents: readonly DocumentAnswer[] }) {
  if (documents.length === 0) return <p className={css.none}>{t('story.no_documents')}</p>
  return (
    <ul className={css.documents}>
      {documents.map(({ fileName, fileNameRaw }) => (
        <li key={fileNameRaw}>
          <a
            className={css.document}
            href={`/api/storage/${encodeURIComponent(fileName)}`}
            target="_blank"
            rel="noreferrer"
          >
            <OfficeIcon name="document" />
            <span>{fileNameRaw}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
