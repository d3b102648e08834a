import { useId, type ComponentProps, type ReactNode } from 'react'
import { Icon } from '../components/icon.tsx'
import { say } from '../language/speak.ts'
import css from './text-field.module.css'

export type FieldTexts = {
  label: string
  hint?: string | undefined
  /** What is wrong and how to mend it. */
  error?: string | undefined
}

/** What `aria-describedby` of the control `id` names: its hint, its error, and whatever else there is. */
export function describedBy(
  id: string,
  { hint, error }: FieldTexts,
  ...others: string[]
): string | undefined {
  return [hint && `${id}-hint`, error && `${id}-error`, ...others].filter(Boolean).join(' ') || undefined
}

/** A control with its label, hint and error above it, in the order in which they are read. */
export function Field({
  id,
  label,
  hint,
  error,
  children,
}: FieldTexts & { id: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      {hint && (
        <p className={css.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className={css.error} id={`${id}-error`}>
          <Icon name="alert" size={16} />
          <span>
            <span className="spoken">{say('form.error')}: </span>
            {error}
          </span>
        </p>
      )}
      {children}
    </div>
  )
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'className' | 'id'> &
  FieldTexts & {
    width?: 'full' | 'zip'
  }

export function TextField({ label, hint, error, width = 'full', ...input }: TextFieldProps) {
  const id = useId()
  const texts = { label, hint, error }
  return (
    <Field id={id} {...texts}>
      <input
        type="text"
        {...input}
        id={id}
        className={css.input}
        data-width={width}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, texts)}
      />
    </Field>
  )
}
