import { t } from '../../text.ts'
import css from '../case.module.css'

type SentFile = { readonly id: string; readonly fileName: string; readonly fileNameRaw: string }

/** What a debtor has sent; each opens beside the page. */
export function SentFiles({ files }: { files: readonly SentFile[] }) {
  if (files.length === 0) return null
  return (
    <ul className={css.files} aria-label={t('dispute.files')}>
      {files.map(({ id, fileName, fileNameRaw }) => (
        <li key={id}>
          <a href={`/api/storage/${encodeURIComponent(fileName)}`} target="_blank" rel="noreferrer">
            {fileNameRaw}
          </a>
        </li>
      ))}
    </ul>
  )
}
