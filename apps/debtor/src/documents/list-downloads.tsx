import type { DownloadFormat } from '@kvitt/domain/downloads/download.contract.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useState } from 'react'
import { api } from '../calls.ts'
import { listDownload, type ListName } from '../debts/list-calls.ts'
import { waitText } from '../debts/missing-document.tsx'
import { saveFile } from '@kvitt/ui/save-file.ts'
import { t, type MessageId } from '../text.ts'
import css from './list-downloads.module.css'

const FORMATS: readonly (readonly [format: DownloadFormat, name: string])[] = [
  ['pdf', 'PDF'],
  ['xlsx', 'Excel'],
  ['csv', 'CSV'],
]
const NAMES: Readonly<Record<ListName, MessageId>> = {
  invoices: 'nav.all_invoices',
  claims: 'download.claims',
}

/** Everything that the lists hold, open and closed, as files to keep. */
export function ListDownloads({ hasInvoices, hasClaims }: { hasInvoices: boolean; hasClaims: boolean }) {
  const [busy, setBusy] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const lists: ListName[] = [
    ...(hasInvoices ? ['invoices' as const] : []),
    ...(hasClaims ? ['claims' as const] : []),
  ]
  const download = async (list: ListName, format: DownloadFormat) => {
    setFailure(undefined)
    setBusy(list + format)
    try {
      saveFile(await api.fetchFile(listDownload(list, format)), `${t(NAMES[list])}.${format}`)
    } catch (error) {
      setFailure(waitText(error) ?? t('download.failed'))
    }
    setBusy(undefined)
  }
  if (lists.length === 0) return null
  return (
    <section className={css.card} aria-labelledby="downloads">
      <Disclosure title={<h2 id="downloads">{t('download.title')}</h2>}>
        <div className={css.lists}>
          {failure && (
            <MessageBox tone="bad" role="alert">
              <p>{failure}</p>
            </MessageBox>
          )}
          {lists.map((list) => (
            <div key={list} className={css.list} role="group" aria-label={t(NAMES[list])}>
              <p className={css.name}>{t(NAMES[list])}</p>
              <div className={css.formats}>
                {FORMATS.map(([format, name]) => (
                  <Button
                    key={format}
                    look="secondary"
                    busy={busy === list + format ? t('receipt.busy') : undefined}
                    onClick={() => void download(list, format)}
                  >
                    {name}
                  </Button>
                ))}
              </div>
            </div>
          ))}
        </div>
      </Disclosure>
    </section>
  )
}
