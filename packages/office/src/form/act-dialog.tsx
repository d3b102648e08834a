import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { failureText } from '../calls.ts'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import css from './act-dialog.module.css'
import { ChoiceField, OfficeField, TicksField } from './office-field.tsx'
import { TextFileField } from './text-file-field.tsx'
import { useFields, type Fields, type FieldSpec } from './use-fields.ts'

export type ActField = FieldSpec & {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** `ticks`: any of the choices; their values with spaces between. `text-file`: a text that may be taken from a file. */
  readonly look?: 'line' | 'area' | 'date' | 'number' | 'choice' | 'ticks' | 'text-file'
  readonly unit?: string
  readonly initial?: string
  readonly min?: string
  readonly max?: string
  readonly choices?: readonly { readonly value: string; readonly text: string; readonly hint?: string }[]
}

export type ActForm = {
  readonly title: string
  /** What happens, and what it costs. */
  readonly consequence: string
  /** What it costs and when, where a sentence does not say it. */
  readonly more?: ReactNode
  readonly fields: readonly ActField[]
  /** What the button says. */
  readonly commit: string
  readonly isFinal?: boolean
  /** Said when it is done. */
  readonly done: string
  /** Whoever does it says so, when it is. */
  readonly isSilent?: boolean
}

type ActDialogProps = {
  form: ActForm
  /** Does it; `key` is the same for every try of this dialog, so that a repeated one is harmless. */
  onCommit: (values: Readonly<Record<string, string>>, key: string) => Promise<unknown>
  onDone: () => void
  onClose: () => void
  /** What helps against a refusal, such as a way to sign in again. */
  remedyFor?: (code: string) => ReactNode
}

/** Says what an act does, asks for what it needs, and does it. A refusal stands at the field, or above all of them. */
export function ActDialog({ form, onCommit, onDone, onClose, remedyFor }: ActDialogProps) {
  const [key] = useState(() => crypto.randomUUID())
  const { fields } = form
  const state = useFields(
    Object.fromEntries(fields.map((field) => [field.name, field])),
    Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])),
  )
  const box = useRef<HTMLDivElement>(null)
  const act = useMutation({
    mutationFn: () => onCommit(state.values, key),
    meta: { done: form.done, isSilent: form.isSilent },
    onSuccess: onDone,
    onError: (error) => {
      if (!(error instanceof ApiRefusal)) return
      const known = error.errors.filter(({ field }) => fields.some(({ name }) => name === field))
      if (known.length > 0) {
        state.refuse(Object.fromEntries(known.map(({ field, message }) => [field, message])))
      }
    },
  })
  useEffect(() => void (act.isError && box.current?.focus()), [act.isError])
  const commit = () => {
    if (!act.isPending && state.check()) act.mutate()
  }
  // Wherever the focus is: a dialog without fields has it on its button.
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      commit()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return (
    <Dialog
      title={form.title}
      onClose={onClose}
      actions={
        <>
          <OfficeButton
            look={form.isFinal ? 'danger' : 'primary'}
            size="large"
            isBusy={act.isPending}
            cap="Ctrl ↵"
            onClick={commit}
          >
            {form.commit}
          </OfficeButton>
          <OfficeButton size="large" onClick={onClose}>
            {t('form.cancel')}
          </OfficeButton>
        </>
      }
    >
      <form
        noValidate
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          commit()
        }}
      >
        {act.isError && (
          <MessageBox tone="bad" role="alert" ref={box}>
            {failureText(act.error)}
          </MessageBox>
        )}
        {act.error instanceof ApiRefusal && remedyFor?.(act.error.code)}
        <p>{form.consequence}</p>
        {form.more}
        <ActFields fields={fields} state={state} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

function ActFields({ fields, state }: { fields: readonly ActField[]; state: Fields }) {
  return (
    <>
      {fields.map(({ name, label, hint, look = 'line', unit, choices, min, max }) =>
        look === 'ticks' ? (
          <TicksField
            key={name}
            {...state.propsOf(name)}
            label={label}
            choices={choices ?? []}
            onValue={(value) => state.set(name, value)}
          />
        ) : look === 'choice' ? (
          <ChoiceField
            key={name}
            name={name}
            label={label}
            value={state.values[name] ?? ''}
            choices={choices ?? []}
            onValue={(value) => state.set(name, value)}
          />
        ) : look === 'text-file' ? (
          <TextFileField key={name} {...state.propsOf(name)} label={label} hint={hint} />
        ) : (
          <OfficeField
            key={name}
            {...state.propsOf(name)}
            label={label}
            hint={hint}
            look={look}
            unit={unit}
            width={look === 'date' || look === 'number' ? 'short' : 'full'}
            {...(min === undefined ? {} : { min })}
            {...(max === undefined ? {} : { max })}
          />
        ),
      )}
    </>
  )
}
