import { IMPORT_COLUMNS, NEEDED_COLUMNS, type ImportColumn } from '@kvitt/domain/imports/import-column.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { SelectField } from '@kvitt/office/form/office-field.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../text.ts'
import { keepMapping, reloadImports, type ImportDetail } from './import-calls.ts'
import { columnText } from './import-row.tsx'
import css from './imports.module.css'

const NONE = ''

/** Which column of the file has what: open by itself while one that is needed has not been found. */
export function ImportMapping({ one, isMissing }: { one: ImportDetail; isMissing: boolean }) {
  const [chosen, setChosen] = useState<Partial<Record<ImportColumn, string>>>(one.mapping)
  const keep = useMutation({
    mutationFn: () =>
      keepMapping(one, Object.fromEntries(IMPORT_COLUMNS.map((column) => [column, chosen[column] || null]))),
    meta: { done: t('import.mapping_kept') },
    onSuccess: reloadImports,
  })
  const others = IMPORT_COLUMNS.filter((column) => !NEEDED_COLUMNS.includes(column))
  const choices = [
    { value: NONE, text: t('import.no_column') },
    ...one.columns.filter((name) => name !== NONE).map((name) => ({ value: name, text: name })),
  ]
  return (
    <details className={css.mapping} open={isMissing}>
      <summary>
        {t('import.columns_found', {
          n: NEEDED_COLUMNS.length - one.missing.length,
          all: NEEDED_COLUMNS.length,
        })}
      </summary>
      {isMissing && (
        <MessageBox tone="bad">
          {t('import.columns_missing', { names: one.missing.map(columnText).join(', ') })}
        </MessageBox>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!keep.isPending) keep.mutate()
        }}
      >
        <div className={css.grid}>
          {[...NEEDED_COLUMNS, ...others].map((column) => (
            <SelectField
              key={column}
              name={column}
              label={columnText(column)}
              value={chosen[column] ?? NONE}
              choices={choices}
              onValue={(value) => setChosen({ ...chosen, [column]: value })}
            />
          ))}
        </div>
        <OfficeButton type="submit" isBusy={keep.isPending}>
          {t('import.keep_mapping')}
        </OfficeButton>
      </form>
    </details>
  )
}
