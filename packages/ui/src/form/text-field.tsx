import { useId, type ComponentProps } from 'react'
import { Icon } from '../components/icon.tsx'
import { say } from '../language/speak.ts'
import css from './text-field.module.css'

type TextFieldProps = Omit<ComponentProps<'input'>, 'className' | 'id'> & {
  label: string
  hint?: string
  /** What is wrong and how to mend it. */
  error?: string | undefined
  width?: 'full' | 'zip'
}

export function TextField({ label, hint, error, width = 'full', ...input }: TextFieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
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
      <input
        type="text"
        {...input}
        id={id}
        className={css.input}
        data-width={width}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
    </div>
  )
}
