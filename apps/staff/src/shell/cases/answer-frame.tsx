/** The answer to a debtor: how it is sent, and the form around it. */
import { failureText } from '@kvitt/office/calls.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { queries } from '../../calls.ts'
import { t } from '../../text.ts'
import css from '../case.module.css'
import { askLater } from '../later.ts'

export type Answering = {
  readonly path: string
  /** The id of what is answered. */
  readonly subject: string
  /** Of the debtor. */
  readonly name: string
  /** Whether what was written can be sent. */
  readonly check: () => boolean
  readonly bodyOf: () => Readonly<Record<string, unknown>>
  readonly onDone: () => void
}

export type Answer = { readonly send: UseMutationResult<void, Error, void>; readonly commit: () => void }

/** It leaves some seconds later, so that it can be taken back. Everything but who is signed in is asked for anew. */
export function useAnswering({ path, subject, name, check, bodyOf, onDone }: Answering): Answer {
  const [key] = useState(() => crypto.randomUUID())
  const send = useMutation({
    mutationFn: () =>
      askLater({
        path,
        key,
        body: bodyOf(),
        subject,
        waits: t('undo.answer', { name }),
        done: t('dispute.sent', { name }),
      }),
    meta: { isSilent: true },
    onSuccess: () => {
      onDone()
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
    },
  })
  const commit = () => {
    if (!send.isPending && check()) send.mutate()
  }
  return { send, commit }
}

/** What failed above the fields, and the button below them. */
export function AnswerFrame({
  answer: { send, commit },
  beside,
  children,
}: {
  answer: Answer
  beside: ReactNode
  children: ReactNode
}) {
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
      {children}
      <div className={css.send}>
        <OfficeButton type="submit" look="primary" size="large" cap="Ctrl ↵" isBusy={send.isPending}>
          {t('dispute.send')}
        </OfficeButton>
        {beside}
      </div>
    </form>
  )
}
