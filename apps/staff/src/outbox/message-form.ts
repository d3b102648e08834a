/** What is done with a message, as the form that asks for it. */
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { t } from '../text.ts'
import type { MessageAct, OutboxMessage } from './outbox-calls.ts'

const reason = (): ActField => ({
  name: 'reason',
  type: 'text',
  look: 'area',
  label: t('outbox.reason'),
  mandatory: true,
  check: (value) => (value.trim().length > 1000 ? t('field.tooLongValidError', { max: 1000 }) : undefined),
})

/** Of a message that was sent, another is made. */
export function formOf(act: MessageAct, { status, nextChannels }: OutboxMessage): ActForm {
  const name = act === 'resend' && status === 'SENT' ? 'again' : act
  const ways: ActField = {
    name: 'channel',
    type: 'text',
    look: 'choice',
    label: t('outbox.way'),
    initial: nextChannels[0] ?? '',
    choices: nextChannels.map((value) => ({ value, text: t(`message.way.${value}`) })),
  }
  return {
    title: t(`outbox.${name}.title`),
    consequence: t(`outbox.${name}.text`),
    fields: act === 'send-now' ? [] : act === 'other-way' ? [ways] : [reason()],
    commit: t(`outbox.${name}.title`),
    done: t(`outbox.${name}.done`),
    isFinal: act === 'drop',
  }
}
