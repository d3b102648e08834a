/** What a broken field rule is called on the screen. */
import { checkField, type FieldContext, type FieldType } from '@kvitt/domain/form/field-rules.ts'
import { t, type MessageId } from '../text.ts'

const TEXTS: Readonly<Record<string, MessageId>> = {
  mandatoryValidError: 'form.required',
  emailValidError: 'form.email_invalid',
  tooLongValidError: 'form.too_long',
}

/** What is wrong with `value` in a field of this type, and what to do; undefined when it may stand there. */
export function faultOf(type: FieldType, value: string, context: FieldContext): string | undefined {
  const fault = checkField(type, value, context)
  if (!fault) return undefined
  const id = TEXTS[fault.key]
  if (id === 'form.required')
    return `${t(id)} ${t(type === 'email' ? 'dispute.email_missing' : 'dispute.reason_missing')}`
  return id ? t(id, fault.params) : fault.message
}
