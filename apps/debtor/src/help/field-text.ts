/** What a broken field rule is called on the screen. */
import { checkField, type FieldContext, type FieldType } from '@kvitt/domain/form/field-rules.ts'
import { t, type MessageId } from '../text.ts'

const TEXTS: Readonly<Record<string, MessageId>> = {
  mandatoryValidError: 'form.required',
  emailValidError: 'form.email_invalid',
  tooLongValidError: 'form.too_long',
}

/** Undefined when `value` may stand in a field of this type. */
export function faultOf(type: FieldType, value: string, context: FieldContext): string | undefined {
  const fault = checkField(type, value, context)
  if (!fault) return undefined
  const id = TEXTS[fault.key]
  return id ? t(id, fault.params) : fault.message
}
