import { LONGEST_MESSAGE } from '@kvitt/domain/conversations/conversation.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { TextArea } from '@kvitt/ui/form/text-area.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { useId, useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { isPeeking } from '../session.ts'
import { ActButton } from '../shell/act-button.tsx'
import { t } from '../text.ts'
import { ANSWER_DAYS, Asked, CloseButton, useAsk, type Asking } from './asking.tsx'
import { Consequences, DebtSubject, type SubjectProps } from './debt-subject.tsx'
import css from './dispute-dialog.module.css'
import { faultOf } from './field-text.ts'
import { FilePicker } from './file-picker.tsx'

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

const questionOf = ({ text, email, key }: Draft): Asking => ({
  body: { kind: 'QUESTION', text, debtorEmail: email.trim() || null },
  key,
})

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

/** Says what follows, then takes the question and what shows it. */
export default function AskDialog(props: AskProps) {
  const { debt, about, onClose } = props
  const formId = useId()
  const { outgoing, asked, send, finish } = useAsk({ ...props, onSent: () => drafts.delete(debt.id) })
  const refused = send.error instanceof ApiRefusal ? send.error : undefined
  const { form, draft, check, fieldOf } = useAskForm(props, refused, () => send.reset())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form is sent by Enter, too.
    if (isPeeking()) return
    if (!send.isPending && check()) send.mutate(questionOf(draft))
  }
  if (asked !== undefined)
    return <Asked title={t('talk.ask')} debt={debt} id={asked} outgoing={outgoing} onFinish={finish} />
  const failure = send.error && !(refused && FIELD_OF[refused.code])
  return (
    <Dialog
      title={t('talk.ask')}
      onClose={onClose}
      actions={
        <>
          <ActButton type="submit" form={formId} busy={send.isPending ? t('dispute.busy') : undefined}>
            {t('talk.send')}
          </ActButton>
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
