import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { LONGEST_REASON } from '@kvitt/domain/disputes/dispute.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { TextArea } from '@kvitt/ui/form/text-area.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { api, debtCall, reloadDebt } from '../calls.ts'
import type { Debt } from '../debts/debt.ts'
import { isPeeking } from '../session.ts'
import { ActButton } from '../shell/act-button.tsx'
import { t, type MessageId } from '../text.ts'
import css from './dispute-dialog.module.css'
import { AgainButton } from './again-button.tsx'
import { Consequences, DebtSubject } from './debt-subject.tsx'
import { faultOf } from './field-text.ts'
import { FilePicker, OutgoingList } from './file-picker.tsx'
import { sendToDispute, useOutgoing, type Outgoing, type OutgoingFiles } from './outgoing.ts'

type DisputeDraft = { email: string; reason: string }

/** What was typed about an invoice or a claim, until the page is left: a closed dialog loses nothing. */
const drafts = new Map<string, DisputeDraft>()
const chosenFiles = new Map<string, readonly Outgoing[]>()

/** Refusals that a field of the form can mend. */
const FIELD_OF: Readonly<Record<string, 'email' | 'reason'>> = {
  invalid_email: 'email',
  reason_required: 'reason',
  reason_too_long: 'reason',
}

const INVOICE_WORDS = {
  title: 'dispute.title',
  paused: 'dispute.paused',
  success: 'dispute.success',
  failure: 'dispute.failure',
} as const satisfies Record<string, MessageId>
const CLAIM_WORDS: Record<keyof typeof INVOICE_WORDS, MessageId> = {
  title: 'claim.dispute',
  paused: 'claim.dispute_paused',
  success: 'claim.dispute_success',
  failure: 'claim.dispute_failure',
}
const wordsOf = ({ key }: Debt) => (key.claimNumber === undefined ? INVOICE_WORDS : CLAIM_WORDS)

type DisputeProps = {
  debt: Debt
  about: InvoiceAnswer | ClaimAnswer
  logo: string | null
  onClose: () => void
  /** It was not made, or it is not known; the dialog closes, and the page goes on saying `why`. */
  onFailed: (why: string) => void
}

type Field = keyof DisputeDraft

const ruleOf = (field: Field) => (field === 'email' ? 'email' : 'text')

/**
 * The call itself: what a field cannot mend ends in a toast and on the page, and the debt is read again (section 8). Files follow when
 * the dispute has been made; then the dialog stays until all have arrived, or somebody closes it.
 */
function useDispute({ debt, onClose, onFailed }: DisputeProps, outgoing: OutgoingFiles) {
  const [isRegistered, setRegistered] = useState(false)
  const close = () => {
    onClose()
    void reloadDebt(debt.key)
  }
  const finish = (isWhole: boolean) => {
    const success = t(wordsOf(debt).success)
    showToast(isWhole ? success : `${success} ${t('files.left')}`, !isWhole)
    close()
  }
  const dispute = useMutation({
    mutationFn: ({ email, reason }: DisputeDraft) =>
      api.ask(debtCall('POST', debt.key, '/dispute'), { body: { debtorEmail: email.trim(), reason } }),
    onSuccess: async () => {
      drafts.delete(debt.id)
      chosenFiles.delete(debt.id)
      setRegistered(true)
      if (await outgoing.send(sendToDispute(debt.key))) finish(true)
    },
    onError: (error) => {
      if (error instanceof ApiRefusal && FIELD_OF[error.code]) return
      const why = t(error instanceof ApiRefusal ? wordsOf(debt).failure : 'dispute.no_answer')
      showToast(why, true)
      onFailed(why)
      close()
    },
  })
  return { dispute, isRegistered, finish }
}

/** What is typed, what is wrong with it, and sending it. */
function useDisputeForm({ debt, about }: DisputeProps, dispute: ReturnType<typeof useDispute>['dispute']) {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<DisputeDraft>(
    () => drafts.get(debt.id) ?? { email: about.debtor.email ?? '', reason: '' },
  )
  const [left, setLeft] = useState<readonly Field[]>([])
  const [isSent, setSent] = useState(false)
  const refused = dispute.error instanceof ApiRefusal ? dispute.error : undefined

  const faultIn = (field: Field) => {
    if (refused && FIELD_OF[refused.code] === field) return refused.message
    if (!left.includes(field) && !isSent) return undefined
    // Leaving an empty field is no mistake yet; sending it is.
    return faultOf(ruleOf(field), draft[field], { mandatory: true, isInitialBlur: !isSent })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form is sent by Enter, too.
    if (isPeeking()) return
    if (dispute.isPending) return
    setSent(true)
    const broken = (['email', 'reason'] as const).find((field) =>
      faultOf(ruleOf(field), draft[field], { mandatory: true }),
    )
    if (broken) form.current?.querySelector<HTMLElement>(`[name=${broken}]`)?.focus()
    else dispute.mutate(draft)
  }
  const fieldOf = (name: Field) => ({
    name,
    value: draft[name],
    error: faultIn(name),
    onBlur: () => setLeft([...left, name]),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const next = { ...draft, [name]: event.currentTarget.value }
      drafts.set(debt.id, next)
      setDraft(next)
      dispute.reset()
    },
  })
  return { form, submit, fieldOf, isSending: dispute.isPending }
}

/** Tells what follows, then asks why (specification sections 2, 5 and 8). */
export default function DisputeDialog(props: DisputeProps) {
  const { debt, about, onClose } = props
  const words = wordsOf(debt)
  const formId = useId()
  const outgoing = useOutgoing({ chosen: chosenFiles.get(debt.id) })
  const { dispute, isRegistered, finish } = useDispute(props, outgoing)
  const { form, submit, fieldOf, isSending } = useDisputeForm(props, dispute)
  const { files } = outgoing
  useEffect(() => {
    if (!isRegistered) chosenFiles.set(debt.id, files)
  }, [debt.id, files, isRegistered])
  const closeButton = (
    <Button look="text" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
      {t(isRegistered ? 'form.close' : 'login.cancel')}
    </Button>
  )
  if (isRegistered) {
    return (
      <Dialog
        title={t(words.title)}
        onClose={() => finish(files.every(({ state }) => state === 'sent'))}
        actions={
          <>
            <AgainButton
              outgoing={outgoing}
              sendFile={sendToDispute(debt.key)}
              onWhole={() => finish(true)}
            />
            {closeButton}
          </>
        }
      >
        <Registered words={words} outgoing={outgoing} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={t(words.title)}
      onClose={onClose}
      actions={
        <>
          <ActButton type="submit" form={formId} busy={isSending ? t('dispute.busy') : undefined}>
            {t(words.title)}
          </ActButton>
          {closeButton}
        </>
      }
    >
      <form ref={form} id={formId} className={css.form} onSubmit={submit} noValidate>
        <DebtSubject {...props} />
        <Consequences
          lines={[
            ['pause', t(words.paused)],
            ['send', t('dispute.sent_on', { client: about.clientName.replace(/\.$/, '') })],
            ['mail', t('dispute.answered')],
          ]}
        />
        <TextField
          label={t('help.email')}
          type="email"
          autoComplete="email"
          inputMode="email"
          {...fieldOf('email')}
        />
        <TextArea
          label={t('dispute.reason')}
          hint={t('dispute.reason_hint')}
          longest={LONGEST_REASON}
          {...fieldOf('reason')}
        />
        <FilePicker
          label={t('files.label')}
          outgoing={outgoing}
          onChoose={(chosen) => void outgoing.add(chosen)}
        />
      </form>
    </Dialog>
  )
}

/** The dispute has been made, whatever becomes of the files. */
function Registered({ words, outgoing }: { words: ReturnType<typeof wordsOf>; outgoing: OutgoingFiles }) {
  const message = useRef<HTMLDivElement>(null)
  const isLeft = outgoing.files.some(({ state }) => state === 'failed')
  useEffect(() => message.current?.focus(), [])
  return (
    <div className={css.form}>
      <MessageBox tone={isLeft ? 'warn' : 'ok'} role="status" ref={message} heading={t(words.success)}>
        {isLeft && <p>{t('files.left')}</p>}
      </MessageBox>
      <OutgoingList outgoing={outgoing} />
    </div>
  )
}
