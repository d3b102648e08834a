/** What all ways to write to a creditor have in common: the call, the files that follow it, and how it ends. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { askOnInvoice } from '@kvitt/domain/conversations/conversation.contract.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, debtCall, reloadDebt } from '../calls.ts'
import { t } from '../text.ts'
import { AgainButton } from './again-button.tsx'
import { reloadConversations, type Thread } from './conversation-calls.ts'
import type { SubjectProps } from './debt-subject.tsx'
import { OutgoingList } from './file-picker.tsx'
import { sendToConversation, useOutgoing, type OutgoingFiles } from './outgoing.ts'

/** As the clock of the task says (packages/domain/src/tasks/task-kind.ts). */
export const ANSWER_DAYS = 5

export type Asking = { readonly body: BodyOf<typeof askOnInvoice>; readonly key: string }

type AskProps = Pick<SubjectProps, 'debt'> & {
  onClose: () => void
  /** It has arrived. */
  onSent?: (thread: Thread) => void
}

/** What was granted at once, else that it is on its way. */
const said = ({ kind, outcome }: Thread): string =>
  kind === 'PLAN' && outcome
    ? t('request.plan_started')
    : outcome?.day
      ? t('request.outcome.GRANT', { day: formatDay(outcome.day) })
      : t('talk.sent')

/** The call itself; files follow when the thread has been made. */
export function useAsk({ debt, onClose, onSent }: AskProps) {
  const outgoing = useOutgoing({})
  const [asked, setAsked] = useState<string>()
  const finish = (isWhole: boolean, text = t('talk.sent')) => {
    showToast(isWhole ? text : `${text} ${t('talk.files_left')}`, !isWhole)
    onClose()
  }
  const send = useMutation({
    mutationFn: ({ body, key }: Asking) =>
      api.ask(debtCall('POST', debt.key, '/conversations'), { headers: { 'Idempotency-Key': key }, body }),
    onSuccess: async (thread) => {
      const { id } = thread
      onSent?.(thread)
      setAsked(id)
      const isWhole = await outgoing.send(sendToConversation(debt.key, id))
      // A request may have changed the debt itself.
      await (thread.kind === 'QUESTION' ? reloadConversations(debt.key) : reloadDebt(debt.key))
      if (isWhole) finish(true, said(thread))
    },
  })
  return { outgoing, asked, send, finish }
}

export function CloseButton({ children }: { children: string }) {
  return (
    <Button look="text" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
      {children}
    </Button>
  )
}

type AskedProps = Pick<SubjectProps, 'debt'> & {
  title: string
  id: string
  outgoing: OutgoingFiles
  onFinish: (isWhole: boolean) => void
}

/** It has been asked, whatever becomes of the files. */
export function Asked({ title, debt, id, outgoing, onFinish }: AskedProps) {
  const { files } = outgoing
  return (
    <Dialog
      title={title}
      onClose={() => onFinish(files.every(({ state }) => state === 'sent'))}
      actions={
        <>
          <AgainButton
            outgoing={outgoing}
            sendFile={sendToConversation(debt.key, id)}
            onWhole={() => onFinish(true)}
          />
          <CloseButton>{t('form.close')}</CloseButton>
        </>
      }
    >
      <MessageBox tone="ok" role="status" heading={t('talk.sent')}>
        {files.some(({ state }) => state === 'failed') && <p>{t('talk.files_left')}</p>}
      </MessageBox>
      <OutgoingList outgoing={outgoing} />
    </Dialog>
  )
}
