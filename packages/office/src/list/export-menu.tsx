import type { FileAnswer } from '@kvitt/ui/api.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'
import { useMutation } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import css from './export-menu.module.css'

/** A list's own call answers a file where its type is accepted. `sie` only where there are books to keep. */
const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  sie: 'application/x-sie',
} as const
type Format = keyof typeof TYPES
const LIST_FORMATS: readonly Format[] = ['csv', 'xlsx', 'pdf']

export type FetchList = (headers: Readonly<Record<string, string>>) => Promise<FileAnswer>

type ExportMenuProps = {
  fetchList: FetchList
  /** Of the file, where the server has none. */
  name: string
  formats?: readonly Format[]
}

/** Saves all that the list has found, or the one thing that is shown, as the kind of file that is chosen. */
export function ExportMenu({ fetchList, name, formats = LIST_FORMATS }: ExportMenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const save = useMutation({
    mutationFn: (format: Format) => fetchList({ Accept: TYPES[format] }),
    meta: { done: t('list.exported') },
    onSuccess: (file, format) => saveFile(file, `${name}.${format}`),
  })
  const choose = (format: Format) => {
    menu.current?.hidePopover()
    save.mutate(format)
  }
  return (
    <div className={css.export}>
      <OfficeButton isBusy={save.isPending} popoverTarget={id}>
        {t('list.export')}
      </OfficeButton>
      <div className={css.menu} id={id} popover="auto" ref={menu}>
        {formats.map((format) => (
          <button key={format} type="button" className={css.choice} onClick={() => choose(format)}>
            {t(`list.export.${format}`)}
          </button>
        ))}
      </div>
    </div>
  )
}
