import { failureText } from '@kvitt/office/calls.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type DragEvent } from 'react'
import { t } from '../text.ts'
import { reloadImports, sendFile } from './import-calls.ts'
import css from './imports.module.css'

/** Formats of invoices that are read, as a browser's file dialog filters them. */
const FORMATS = '.csv,.txt,.xlsx,.xml,.zip'

/** A file is chosen or dropped, sent with its progress, and opened as soon as it has been read. */
export function Upload() {
  const [share, setShare] = useState(0)
  const [isOver, setOver] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const send = useMutation({
    mutationFn: (file: File) => sendFile(file, setShare),
    meta: { isSilent: true },
    onSuccess: ({ id }) => {
      reloadImports()
      goTo(hashOf({ view: 'imports', id }))
    },
  })
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (!file || send.isPending) return
    setShare(0)
    send.mutate(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  return (
    <section
      className={css.upload}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      aria-label={t('import.choose')}
    >
      {send.isError && (
        <MessageBox tone="bad" role="alert">
          {failureText(send.error)}
        </MessageBox>
      )}
      <div className={css.choose}>
        <OfficeButton look="primary" isBusy={send.isPending} onClick={() => field.current?.click()}>
          {t('import.choose')}
        </OfficeButton>
        <p className={css.note}>{t('import.formats')}</p>
      </div>
      <input
        ref={field}
        type="file"
        hidden
        accept={FORMATS}
        aria-label={t('import.choose')}
        onChange={({ currentTarget }) => {
          take(currentTarget.files)
          currentTarget.value = ''
        }}
      />
      {send.isPending && (
        <div role="status">
          <progress className={css.bar} value={share} max={1} aria-label={t('import.sending')} />
          <p className={css.note}>{share < 1 ? t('import.sending') : t('import.reading')}</p>
        </div>
      )}
    </section>
  )
}
