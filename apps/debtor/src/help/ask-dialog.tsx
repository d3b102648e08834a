import { LONGEST_MESSAGE } from '@kvitt/domain/conversations/conversation.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { TextArea } from '@kvitt/ui/form/text-area.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { api, debtCall } from '../calls.ts'
import { t } from '../text.ts'
import { AgainButton } from './again-button.tsx'
import { reloadConversations } from './conversation-calls.ts'
import { Consequences, DebtSubject, type SubjectProps } from './debt-subject.tsx'
import css from './dispute-dialog.module.css'
import { faultOf } from './field-text.ts'
import { FilePicker, OutgoingList } from './file-picker.tsx'
import { sendToConversation, useOutgoing, type OutgoingFiles } from './outgoing.ts'

/** As the clock of the task says (packages/domain/src/tasks/task-kind.ts). */
const ANSWER_DAYS = 5

type Draft = { text: string; email: string; readonly key: string }
type Field = 'text' | 'email'

/** What was typed about an invoice or a claim, until the page is left: a closed dialog loses nothing. */
const drafts = new Map<string, Draft>()

/** Refusals that a field of the form can mend. */
const FIELD_OF: Readonly<Record<string, Field>> = {
  message_required: 'text',
  reason_too_long: 'text',
  invalid_email: 'email',
}

type AskProps = SubjectProps & { onClose: () => void }

/** What is typed, and what is wrong with it. */
function useAskForm({ debt, about }: AskProps, refused: ApiRefusal | undefined, onChange: () => void) {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<Draft>(
    () => drafts.get(debt.id) ?? { text: '', email: about.debtor.email ?? '', key: crypto.randomUUID() },
  )
  const [isSent, setSent] = useState(false)
  const ruleFault = (field: Field) =>
    field === 'text'
      ? draft.text.trim() === ''
        ? t('talk.text_missing')
        : undefined
      : faultOf('email', draft.email.trim(), {})
  const faultIn = (field: Field) =>
    refused && FIELD_OF[refused.code] === field ? refused.message : isSent ? ruleFault(field) : undefined
  /** Answers whether it may be sent; else the first broken field is where one goes on. */
  const check = () => {
    setSent(true)
    const broken = (['text', 'email'] as const).find((field) => ruleFault(field))
    if (broken) form.current?.querySelector<HTMLElement>(`[name=${broken}]`)?.focus()
    return !broken
  }
  const fieldOf = (name: Field) => ({
    name,
    value: draft[name],
    error: faultIn(name),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      // Another text is another request.
      const next = { ...draft, [name]: event.currentTarget.value, key: crypto.randomUUID() }
      drafts.set(debt.id, next)
      setDraft(next)
      onChange()
    },
  })
  return { form, draft, check, fieldOf }
}

/** The call itself; files follow when the thread has been made. */
function useAsk({ debt, onClose }: AskProps) {
  const outgoing = useOutgoing({})
  const [asked, setAsked] = useState<string>()
  const finish = (isWhole: boolean) => {
    showToast(isWhole ? t('talk.sent') : `${t('talk.sent')} ${t('talk.files_left')}`, !isWhole)
    onClose()
  }
  const send = useMutation({
    mutationFn: ({ text, email, key }: Draft) =>
      api.ask(debtCall('POST', debt.key, '/conversations'), {
        headers: { 'Idempotency-Key': key },
        body: { kind: 'QUESTION', text, debtorEmail: email.trim() || null },
      }),
    onSuccess: async ({ id }) => {
      drafts.delete(debt.id)
      setAsked(id)
      const isWhole = await outgoing.send(sendToConversation(debt.key, id))
      await reloadConversations(debt.key)
      if (isWhole) finish(true)
    },
  })
  return { outgoing, asked, send, finish }
}

/** Says what follows, then takes the question and what shows it. */
export default function AskDialog(props: AskProps) {
  const { debt, about, onClose } = props
  const formId = useId()
  const { outgoing, asked, send, finish } = useAsk(props)
  const refused = send.error instanceof ApiRefusal ? send.error : undefined
  const { form, draft, check, fieldOf } = useAskForm(props, refused, () => send.reset())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!send.isPending && check()) send.mutate(draft)
  }
  if (asked !== undefined) return <Asked debt={debt} id={asked} outgoing={outgoing} onFinish={finish} />
  const failure = send.error && !(refused && FIELD_OF[refused.code])
  return (
    <Dialog
      title={t('talk.ask')}
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={formId} busy={send.isPending ? t('dispute.busy') : undefined}>
            {t('talk.send')}
          </Button>
          <CloseButton>{t('login.cancel')}</CloseButton>
        </>
      }
    >
      <form ref={form} id={formId} className={css.form} onSubmit={submit} noValidate>
        {failure && (
          <MessageBox tone="bad" role="alert">
            <p>{refused?.message ?? t('talk.no_answer')}</p>
          </MessageBox>
        )}
        <DebtSubject {...props} />
        <Consequences
          lines={[
            ['send', t('talk.sent_on', { client: about.clientName.replace(/\.$/, '') })],
            ['calendar', t('talk.answered_within', { client: about.clientName, days: ANSWER_DAYS })],
            ['info', t('talk.nothing_rests')],
          ]}
        />
        <TextArea label={t('talk.text')} longest={LONGEST_MESSAGE} {...fieldOf('text')} />
        <FilePicker
          label={t('files.label')}
          outgoing={outgoing}
          onChoose={(chosen) => void outgoing.add(chosen)}
        />
        <TextField
          label={t('talk.email')}
          hint={t('talk.email_hint')}
          type="email"
          autoComplete="email"
          inputMode="email"
          {...fieldOf('email')}
        />
      </form>
    </Dialog>
  )
}

function CloseButton({ children }: { children: string }) {
  return (
    <Button look="text" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
      {children}
    </Button>
  )
}

type AskedProps = Pick<AskProps, 'debt'> & {
  id: string
  outgoing: OutgoingFiles
  onFinish: (isWhole: boolean) => void
}

/** It has been asked, whatever becomes of the files. */
function Asked({ debt, id, outgoing, onFinish }: AskedProps) {
  const { files } = outgoing
  return (
    <Dialog
      title={t('talk.ask')}
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
