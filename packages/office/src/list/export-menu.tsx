import type { FileAnswer } from '@kvitt/ui/api.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'
import { useMutation } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import css from './export-menu.module.css'

/** A list's own call answers a file where its type is accepted. */
const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
} as const

export type FetchList = (headers: Readonly<Record<string, string>>) => Promise<FileAnswer>

/** Saves all that the list has found, as the kind of file that is chosen. */
export function ExportMenu({ fetchList, name }: { fetchList: FetchList; name: string }) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const save = useMutation({
    mutationFn: (format: keyof typeof TYPES) => fetchList({ Accept: TYPES[format] }),
    meta: { done: t('list.exported') },
    onSuccess: (file, format) => saveFile(file, `${name}.${format}`),
  })
  const choose = (format: keyof typeof TYPES) => {
    menu.current?.hidePopover()
    save.mutate(format)
  }
  return (
    <div className={css.export}>
      <OfficeButton isBusy={save.isPending} popoverTarget={id}>
        {t('list.export')}
      </OfficeButton>
      <div className={css.menu} id={id} popover="auto" ref={menu}>
        {(Object.keys(TYPES) as (keyof typeof TYPES)[]).map((format) => (
          <button key={format} type="button" className={css.choice} onClick={() => choose(format)}>
            {t(`list.export.${format}`)}
          </button>
        ))}
      </div>
    </div>
  )
}
