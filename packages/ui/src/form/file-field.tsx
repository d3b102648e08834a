import { useId, type ReactNode } from 'react'
import { Icon } from '../components/icon.tsx'
import css from './file-field.module.css'
import field from './text-field.module.css'

type FileFieldProps = {
  label: string
  hint?: string
  /** What the button says; the browser's own speaks the browser's language. */
  choose: string
  /** Media types. No `capture`: a telephone offers its camera beside its files. */
  accept: readonly string[]
  onChoose: (files: readonly File[]) => void
  /** What was chosen, and what is wrong with it: between the words and the button. */
  children?: ReactNode
}

/** The browser's own file input behind a button that looks like the others. */
export function FileField({ label, hint, choose, accept, onChoose, children }: FileFieldProps) {
  const id = useId()
  return (
    <div className={field.field}>
      <span className={field.label} id={`${id}-label`}>
        {label}
      </span>
      {hint && (
        <span className={field.hint} id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {children}
      <span className={css.control}>
        <input
          id={id}
          type="file"
          multiple
          className={css.input}
          accept={accept.join()}
          aria-labelledby={`${id}-label ${id}-choose`}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => {
            const input = event.currentTarget
            onChoose([...(input.files ?? [])])
            // The same file can be chosen again after it has been removed.
            input.value = ''
          }}
        />
        <label className={css.button} id={`${id}-choose`} htmlFor={id}>
          <Icon name="document" size={20} />
          {choose}
        </label>
      </span>
    </div>
  )
}
