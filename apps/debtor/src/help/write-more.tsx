import { LONGEST_MESSAGE } from '@kvitt/domain/conversations/conversation.ts'
import { MOST_FILES } from '@kvitt/domain/disputes/dispute-file.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { TextArea } from '@kvitt/ui/form/text-area.tsx'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { api, debtCall } from '../calls.ts'
import { ActButton } from '../shell/act-button.tsx'
import { isPeeking, type DebtKey } from '../session.ts'
import { t } from '../text.ts'
import { AgainButton } from './again-button.tsx'
import { reloadConversations, type Thread } from './conversation-calls.ts'
import { FilePicker } from './file-picker.tsx'
import { sendToConversation, useOutgoing } from './outgoing.ts'
import css from './talk.module.css'

type WriteProps = { debtKey: DebtKey; thread: Thread }

/** More words for a conversation; files as well, while it waits for the creditor. */
export function WriteMore({ debtKey, thread }: WriteProps) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (!isOpen) {
    return (
      <p className={css.actions}>
        <Button look="text" ref={opener} onClick={() => setOpen(true)}>
          {t('talk.write_more')}
        </Button>
      </p>
    )
  }
  return (
    <div className={css.more}>
      <MoreWords debtKey={debtKey} thread={thread} onDone={() => setOpen(false)} />
      {thread.status === 'OPEN' && thread.files.length < MOST_FILES && (
        <MoreFiles debtKey={debtKey} thread={thread} />
      )}
    </div>
  )
}

function MoreWords({ debtKey, thread: { id }, onDone }: WriteProps & { onDone: () => void }) {
  const area = useRef<HTMLFormElement>(null)
  const [text, setText] = useState('')
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [isSent, setSent] = useState(false)
  const send = useMutation({
    mutationFn: () =>
      api.ask(debtCall('POST', debtKey, '/conversations/messages'), {
        headers: { 'Idempotency-Key': key },
        body: { conversation: id, text },
      }),
    onSuccess: async () => {
      await reloadConversations(debtKey)
      showToast(t('talk.sent'))
      onDone()
    },
  })
  useEffect(() => area.current?.querySelector('textarea')?.focus(), [])
  const missing = isSent && text.trim() === '' ? t('talk.text_missing') : undefined
  const failed = send.error && (send.error instanceof ApiRefusal ? send.error.message : t('talk.no_answer'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form is sent by Enter, too.
    if (isPeeking()) return
    setSent(true)
    if (text.trim() === '') area.current?.querySelector('textarea')?.focus()
    else if (!send.isPending) send.mutate()
  }
  return (
    <form ref={area} className={css.more} onSubmit={submit} noValidate>
      <TextArea
        label={t('talk.text')}
        longest={LONGEST_MESSAGE}
        value={text}
        error={missing ?? failed ?? undefined}
        onChange={(event) => {
          setText(event.currentTarget.value)
          // Another text is another request.
          setKey(crypto.randomUUID())
          send.reset()
        }}
      />
      <p className={css.actions}>
        <ActButton type="submit" look="secondary" busy={send.isPending ? t('dispute.busy') : undefined}>
          {t('talk.send')}
        </ActButton>
        <Button look="text" onClick={onDone}>
          {t('login.cancel')}
        </Button>
      </p>
    </form>
  )
}

function MoreFiles({ debtKey, thread: { id, files } }: WriteProps) {
  const [arrived, setArrived] = useState('')
  const sendFile = sendToConversation(debtKey, id)
  const outgoing = useOutgoing({
    taken: files.length,
    async onSent({ name }) {
      await reloadConversations(debtKey)
      setArrived(t('files.arrived', { name }))
    },
  })
  return (
    <>
      <FilePicker
        label={t('talk.more_files')}
        outgoing={outgoing}
        onChoose={(chosen) => void outgoing.add(chosen).then(() => outgoing.send(sendFile))}
      />
      <AgainButton outgoing={outgoing} sendFile={sendFile} />
      <p className="spoken" role="status">
        {arrived}
      </p>
    </>
  )
}
