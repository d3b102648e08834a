import { LONGEST_MESSAGE } from '@kvitt/domain/conversations/conversation.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { OfficeField } from '@kvitt/office/form/office-field.tsx'
import { useFields } from '@kvitt/office/form/use-fields.ts'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import type { ReactNode } from 'react'
import { AnswerFrame, useAnswering } from '../shell/cases/answer-frame.tsx'
import { t } from '../text.ts'
import type { ConversationDetail } from './conversation-calls.ts'

type ReplyProps = { conversation: ConversationDetail; beside?: ReactNode; onDone: () => void }

/** The answer to a question. */
export function ReplyForm({ conversation: { id, debtor }, beside, onDone }: ReplyProps) {
  const fields = useFields({
    text: {
      type: 'text',
      mandatory: true,
      check: (value) =>
        value.length > LONGEST_MESSAGE ? t('conversation.too_long', { most: LONGEST_MESSAGE }) : undefined,
    },
  })
  const answer = useAnswering({
    path: staffCall('POST', '/client/conversations/:id/answer', { id }).path,
    subject: id,
    name: debtor.name,
    check: fields.check,
    bodyOf: () => ({ text: fields.values['text'] ?? '' }),
    onDone,
  })
  useKeys({ 'Ctrl+Enter': answer.commit })
  return (
    <AnswerFrame answer={answer} beside={beside}>
      <OfficeField
        {...fields.propsOf('text')}
        label={t('dispute.answer_to', { name: debtor.name })}
        hint={t('dispute.answer_hint')}
        look="area"
      />
    </AnswerFrame>
  )
}
