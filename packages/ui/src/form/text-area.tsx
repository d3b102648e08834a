import { useId, type ComponentProps } from 'react'
import { Icon } from '../components/icon.tsx'
import { formatCount } from '../count-text.ts'
import { say } from '../language/speak.ts'
import css from './text-field.module.css'

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'className' | 'id' | 'value'> & {
  label: string
  hint?: string
  /** What is wrong and how to mend it. */
  error?: string | undefined
  value: string
  /** How many characters there may be; what is left stands below. */
  longest: number
}

/** Said from here on only: a screen reader should not count along with every letter. */
const NEARLY_FULL = 50

export function TextArea({ label, hint, error, value, longest, ...textarea }: TextAreaProps) {
  const id = useId()
  const left = longest - value.length
  const leftText = say('form.characters_left', { n: formatCount(left) })
  const described = [hint && `${id}-hint`, error && `${id}-error`, `${id}-left`].filter(Boolean).join(' ')
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
      <textarea
        rows={5}
        {...textarea}
        id={id}
        value={value}
        maxLength={longest}
        className={`${css.input} ${css.area}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={described}
      />
      <p className={css.left} id={`${id}-left`}>
        {leftText}
      </p>
      <p className="spoken" role="status">
        {left <= NEARLY_FULL ? leftText : ''}
      </p>
    </div>
  )
}
