import type { ImportColumn } from '@kvitt/domain/imports/import-column.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { OfficeIcon } from '@kvitt/office/parts/office-icon.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { t } from '../text.ts'
import { mendRow, reloadImports, type ImportRow } from './import-calls.ts'
import css from './imports.module.css'

type Problem = ImportRow['problems'][number]
type RowProps = { id: string; row: ImportRow; mayMend: boolean }

/** A row of the file with what is wrong with it, mended in its place. */
export function ImportRowItem({ id, row, mayMend }: RowProps) {
  const { number, state, invoiceNumber, values, problems, total, currency, invoiceId } = row
  const mend = useMutation({
    mutationFn: (change: Parameters<typeof mendRow>[2]) => mendRow(id, row, change),
    meta: { isSilent: true },
    onSuccess: reloadImports,
  })
  const isWrong = state === 'WRONG'
  return (
    <li className={css.row} data-state={state}>
      <div className={css.head}>
        <span className={css.number}>{t('import.row', { n: number })}</span>
        <strong>
          {invoiceId ? (
            <a href={hashOf({ view: 'invoices', id: invoiceId })}>{invoiceNumber}</a>
          ) : (
            invoiceNumber || '–'
          )}
        </strong>
        <span>{values.debtor_name}</span>
        <span className={css.quiet}>{values.description}</span>
        <span className={css.end}>
          {total !== null && currency !== null && <Figure minor={minorOf(total)} currency={currency} />}
          {state === 'READY' && <Chip tone="ok">{t('import.row_ready')}</Chip>}
          {state === 'UNCHANGED' && <Chip tone="neutral">{t('import.row_unchanged')}</Chip>}
        </span>
      </div>
      {mend.isError && (
        <p className={css.fault} role="alert">
          {failureText(mend.error)}
        </p>
      )}
      {problems.map((problem, index) => (
        <ProblemLine
          key={`${problem.code}.${problem.field ?? index}`}
          problem={problem}
          value={problem.field === null ? undefined : (values[problem.field] ?? '')}
          mayMend={mayMend && isWrong}
          isBusy={mend.isPending}
          onMend={(value) => problem.field && mend.mutate({ [problem.field]: value })}
        />
      ))}
      {mayMend && isWrong && (
        <OfficeButton look="quiet" isBusy={mend.isPending} onClick={() => mend.mutate({ leaveOut: true })}>
          {t('import.leave_out')}
        </OfficeButton>
      )}
    </li>
  )
}

type LineProps = {
  problem: Problem
  /** What stands in the field; undefined where it is no single one. */
  value: string | undefined
  mayMend: boolean
  isBusy: boolean
  onMend: (value: string) => void
}

function ProblemLine({ problem: { field, message, mends }, value, mayMend, isBusy, onMend }: LineProps) {
  const id = useId()
  const [typed, setTyped] = useState(value ?? '')
  return (
    <div className={css.problem}>
      <p className={css.fault} id={`${id}-fault`}>
        <OfficeIcon name="alert" />
        <span>{message}</span>
      </p>
      {mayMend && field !== null && (
        <form
          className={css.mend}
          onSubmit={(event) => {
            event.preventDefault()
            if (!isBusy) onMend(typed)
          }}
        >
          {mends.map((mendTo) => (
            <OfficeButton key={mendTo} isBusy={isBusy} onClick={() => onMend(mendTo)}>
              {t('import.use', { value: mendTo })}
            </OfficeButton>
          ))}
          <label className={css.label} htmlFor={id}>
            {columnText(field)}
          </label>
          <input
            id={id}
            className={css.input}
            value={typed}
            autoComplete="off"
            aria-describedby={`${id}-fault`}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <OfficeButton type="submit" isBusy={isBusy}>
            {t('import.save_field')}
          </OfficeButton>
        </form>
      )}
    </div>
  )
}

/** Our name of a column, in the words of the page. */
export const columnText = (column: ImportColumn): string => t(`import.column.${column}`)
