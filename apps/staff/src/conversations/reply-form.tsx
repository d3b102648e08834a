import { LONGEST_MESSAGE } from '@kvitt/domain/conversations/conversation.ts'
import { failureText, staffCall } from '@kvitt/office/calls.ts'
import { OfficeField } from '@kvitt/office/form/office-field.tsx'
import { useFields } from '@kvitt/office/form/use-fields.ts'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { askLater } from '../shell/later.ts'
import { queries } from '../calls.ts'
import css from '../shell/case.module.css'
import { t } from '../text.ts'
import type { ConversationDetail } from './conversation-calls.ts'

type ReplyProps = { conversation: ConversationDetail; beside?: ReactNode; onDone: () => void }

/** The answer to a question. */
export function ReplyForm({ conversation: { id, debtor }, beside, onDone }: ReplyProps) {
  const [key] = useState(() => crypto.randomUUID())
  const fields = useFields({
    text: {
      type: 'text',
      mandatory: true,
      check: (value) =>
        value.length > LONGEST_MESSAGE ? t('conversation.too_long', { most: LONGEST_MESSAGE }) : undefined,
    },
  })
  const send = useMutation({
    mutationFn: () =>
      askLater({
        path: staffCall('POST', '/client/conversations/:id/answer', { id }).path,
        key,
        body: { text: fields.values['text'] ?? '' },
        subject: id,
        waits: t('undo.answer', { name: debtor.name }),
        done: t('dispute.sent', { name: debtor.name }),
      }),
    meta: { isSilent: true },
    onSuccess: () => {
      onDone()
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
    },
  })
  const commit = () => {
    if (!send.isPending && fields.check()) send.mutate()
  }
  useKeys({ 'Ctrl+Enter': commit })
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        commit()
      }}
    >
      {send.isError && (
        <MessageBox tone="bad" role="alert">
          {failureText(send.error)}
        </MessageBox>
      )}
      <OfficeField
        {...fields.propsOf('text')}
        label={t('dispute.answer_to', { name: debtor.name })}
        hint={t('dispute.answer_hint')}
        look="area"
      />
      <div className={css.send}>
        <OfficeButton type="submit" look="primary" size="large" cap="Ctrl ↵" isBusy={send.isPending}>
          {t('dispute.send')}
        </OfficeButton>
        {beside}
      </div>
    </form>
  )
}
