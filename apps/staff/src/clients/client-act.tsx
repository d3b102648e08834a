import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { useState } from 'react'
import { queries } from '../calls.ts'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import css from './clients.module.css'

type ClientActProps = {
  label: string
  /** Made when it is opened, so that it begins with what holds then. */
  formFor: () => ActForm
  onCommit: (values: Readonly<Record<string, string>>, key: string) => Promise<unknown>
}

/** What may be done with one part of a creditor: a button, and the dialog that asks for the rest. */
export function ClientAct({ label, formFor, onCommit }: ClientActProps) {
  const [form, setForm] = useState<ActForm>()
  const close = () => setForm(undefined)
  return (
    <div className={css.act}>
      <OfficeButton onClick={() => setForm(formFor())}>{label}</OfficeButton>
      {form && (
        <ActDialog
          form={form}
          onCommit={onCommit}
          remedyFor={remedyFor}
          onClose={close}
          onDone={() => {
            close()
            for (const key of ['clients', 'tasks', 'proposals'])
              void queries.invalidateQueries({ queryKey: [key] })
          }}
        />
      )}
    </div>
  )
}
