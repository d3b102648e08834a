import { useId, type ComponentProps } from 'react'
import { formatCount } from '../count-text.ts'
import { say } from '../language/speak.ts'
import css from './text-field.module.css'
import { describedBy, Field, type FieldTexts } from './text-field.tsx'

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'className' | 'id' | 'value'> &
  FieldTexts & {
    value: string
    /** How many characters there may be; what is left stands below. */
    longest: number
  }

/** Said from here on only: a screen reader should not count along with every letter. */
const NEARLY_FULL = 50

export function TextArea({ label, hint, error, value, longest, ...textarea }: TextAreaProps) {
  const id = useId()
  const texts = { label, hint, error }
  const left = longest - value.length
  const leftText = say('form.characters_left', { n: formatCount(left) })
  return (
    <Field id={id} {...texts}>
      <textarea
        rows={5}
        {...textarea}
        id={id}
        value={value}
        maxLength={longest}
        className={`${css.input} ${css.area}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, texts, `${id}-left`)}
      />
      <p className={css.left} id={`${id}-left`}>
        {leftText}
      </p>
      <p className="spoken" role="status">
        {left <= NEARLY_FULL ? leftText : ''}
      </p>
    </Field>
  )
}
