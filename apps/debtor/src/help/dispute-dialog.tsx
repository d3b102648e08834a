import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { LONGEST_REASON } from '@kvitt/domain/disputes/dispute.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { TextArea } from '@kvitt/ui/form/text-area.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { api, debtCall, reloadDebt } from '../calls.ts'
import { CreditorPlate } from '../debts/creditor-plate.tsx'
import type { Debt } from '../debts/debt.ts'
import { t, type MessageId } from '../text.ts'
import css from './dispute-dialog.module.css'
import { faultOf } from './field-text.ts'
import { FilePicker, OutgoingList } from './file-picker.tsx'
import { useOutgoing, type Outgoing, type OutgoingFiles } from './outgoing.ts'

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
      if (await outgoing.send()) finish(true)
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
  const outgoing = useOutgoing({ key: debt.key, chosen: chosenFiles.get(debt.id) })
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
            <AgainButton outgoing={outgoing} onWhole={() => finish(true)} />
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
          <Button type="submit" form={formId} busy={isSending ? t('dispute.busy') : undefined}>
            {t(words.title)}
          </Button>
          {closeButton}
        </>
      }
    >
      <form ref={form} id={formId} className={css.form} onSubmit={submit} noValidate>
        <Subject {...props} />
        <Consequences client={about.clientName} paused={words.paused} />
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

function AgainButton({ outgoing, onWhole }: { outgoing: OutgoingFiles; onWhole: () => void }) {
  if (!outgoing.files.some(({ state }) => state === 'failed')) return null
  const again = async () => {
    if (await outgoing.sendAgain()) onWhole()
  }
  return <Button onClick={() => void again()}>{t('login.retry')}</Button>
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

function Subject({ debt, about, logo }: DisputeProps) {
  const heading =
    'invoiceNumber' in about
      ? t('invoice.heading', { number: about.invoiceNumber })
      : t('claim.heading', { number: about.collectionBatchNumber })
  return (
    <div className={css.subject}>
      <CreditorPlate name={about.clientName} logo={logo} />
      <div className={css.who}>
        <p className={css.client}>{about.clientName}</p>
        <p className={css.number}>{heading}</p>
      </div>
      <p className={css.amount}>{formatMoney(debt.balanceMinor, debt.currency, currentLanguage())}</p>
    </div>
  )
}

function Consequences({ client, paused }: { client: string; paused: MessageId }) {
  const lines: readonly (readonly [IconName, string])[] = [
    ['pause', t(paused)],
    ['send', t('dispute.sent_on', { client: client.replace(/\.$/, '') })],
    ['mail', t('dispute.answered')],
  ]
  return (
    <div className={css.then}>
      <h3>{t('dispute.then')}</h3>
      <ul>
        {lines.map(([icon, text]) => (
          <li key={icon}>
            <Icon name={icon} size={20} />
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}
