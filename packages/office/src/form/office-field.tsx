import { Icon } from '@kvitt/ui/components/icon.tsx'
import { useId, type ComponentProps } from 'react'
import { t } from '../text.ts'
import css from './office-field.module.css'
import type { FieldProps } from './use-fields.ts'

type OfficeFieldProps = FieldProps & {
  label: string
  hint?: string | undefined
  /** Inside at the right, such as a currency. */
  unit?: string | undefined
  look?: 'line' | 'area' | 'date' | 'number'
  width?: 'short' | 'full'
  autoComplete?: ComponentProps<'input'>['autoComplete']
  max?: string
  min?: string
}

/** A field with its label above, and what is wrong with it below. */
export function OfficeField(props: OfficeFieldProps) {
  const { label, hint, unit, look = 'line', width = 'full', fault, isFaultShown, name, value } = props
  const id = useId()
  const isText = fault !== undefined && isFaultShown
  const along = {
    id,
    name,
    value,
    className: css.input,
    'aria-invalid': fault === undefined ? undefined : true,
    'aria-describedby': [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined,
    onFocus: props.onEnter,
    onBlur: props.onLeave,
  }
  return (
    <div className={css.field} data-width={width}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <span className={css.control}>
        {look === 'area' ? (
          <textarea
            rows={4}
            {...along}
            onChange={({ currentTarget }) => props.onValue(currentTarget.value)}
          />
        ) : (
          <input
            {...along}
            type={look === 'date' ? 'date' : 'text'}
            inputMode={look === 'number' ? 'decimal' : undefined}
            autoComplete={props.autoComplete ?? 'off'}
            min={props.min}
            max={props.max}
            data-end={look === 'number' || undefined}
            data-unit={unit ? true : undefined}
            onChange={({ currentTarget }) => props.onValue(currentTarget.value)}
          />
        )}
        {unit && <span className={css.unit}>{unit}</span>}
      </span>
      {hint && (
        <p className={css.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && <Fault id={`${id}-fault`} text={fault} isShown={isText} />}
    </div>
  )
}

function Fault({ id, text, isShown }: { id: string; text: string; isShown: boolean }) {
  return (
    <p className={isShown ? css.fault : 'spoken'} id={id}>
      <Icon name="alert" size={16} />
      <span>
        <span className="spoken">{t('form.error')}: </span>
        {text}
      </span>
    </p>
  )
}

type Choice = { readonly value: string; readonly text: string; readonly hint?: string }
type ChoiceProps = {
  label: string
  name: string
  value: string
  choices: readonly Choice[]
  onValue: (value: string) => void
}

/** One of a few, each with what it means. */
export function ChoiceField({ label, name, value, choices, onValue }: ChoiceProps) {
  return (
    <fieldset className={css.choices}>
      <legend className={css.label}>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={css.choice} data-chosen={choice.value === value || undefined}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onValue(choice.value)}
          />
          <span>
            {choice.text}
            {choice.hint && <span className={css.choiceHint}>{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

type TicksProps = Omit<ChoiceProps, 'hint'> & Pick<FieldProps, 'fault' | 'isFaultShown'>

/** Any of a few, each with what it means. Its value is theirs with spaces between. */
export function TicksField({ label, name, value, choices, onValue, fault, isFaultShown }: TicksProps) {
  const id = useId()
  const chosen = value.split(' ').filter(Boolean)
  const toggle = (one: string) =>
    onValue((chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]).join(' '))
  return (
    <fieldset className={css.choices} aria-describedby={fault ? `${id}-fault` : undefined}>
      <legend className={css.label}>{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className={css.choice}
          data-chosen={chosen.includes(choice.value) || undefined}
        >
          <input
            type="checkbox"
            name={name}
            checked={chosen.includes(choice.value)}
            onChange={() => toggle(choice.value)}
          />
          <span>
            {choice.text}
            {choice.hint && <span className={css.choiceHint}>{choice.hint}</span>}
          </span>
        </label>
      ))}
      {fault !== undefined && <Fault id={`${id}-fault`} text={fault} isShown={isFaultShown} />}
    </fieldset>
  )
}

/** One of many. */
export function SelectField({ label, name, value, choices, onValue }: ChoiceProps) {
  const id = useId()
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        name={name}
        className={css.input}
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    </div>
  )
}
