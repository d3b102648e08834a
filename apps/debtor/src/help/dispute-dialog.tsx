import { LONGEST_REASON } from '@kvitt/domain/disputes/dispute.ts'
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { showToast } from '@kvitt/ui/components/toast.tsx'
import { TextArea } from '@kvitt/ui/form/text-area.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney, minorOf } from '@kvitt/ui/money-text.ts'
import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { api, invoicePath, reloadDebt } from '../calls.ts'
import type { InvoiceKey } from '../session.ts'
import { CreditorPlate } from '../shell/creditor-plate.tsx'
import { t } from '../text.ts'
import css from './dispute-dialog.module.css'
import { faultOf } from './field-text.ts'

type DisputeDraft = { email: string; reason: string }

/** What was typed about an invoice, until the page is left: a closed dialog loses nothing. */
const drafts = new Map<string, DisputeDraft>()

/** Refusals that a field of the form can mend. */
const FIELD_OF: Readonly<Record<string, 'email' | 'reason'>> = {
  invalid_email: 'email',
  reason_required: 'reason',
  reason_too_long: 'reason',
}

type DisputeProps = {
  invoiceKey: InvoiceKey
  invoice: InvoiceAnswer
  logo: string | null
  onClose: () => void
}

type Field = keyof DisputeDraft

const ruleOf = (field: Field) => (field === 'email' ? 'email' : 'text')

/** The call itself: what a field cannot mend ends in a toast, and the invoice is read again (section 8). */
function useDispute({ invoiceKey, invoice, onClose }: DisputeProps) {
  const close = () => {
    onClose()
    void reloadDebt(invoiceKey)
  }
  return useMutation({
    mutationFn: ({ email, reason }: DisputeDraft) =>
      api.ask({
        path: invoicePath(invoiceKey, '/dispute'),
        method: 'POST',
        body: { debtorEmail: email.trim(), reason },
        handleLocally: true,
      }),
    onSuccess: () => {
      drafts.delete(invoice.id)
      showToast(t('dispute.success'))
      close()
    },
    onError: (error) => {
      if (error instanceof ApiRefusal && FIELD_OF[error.code]) return
      showToast(t('dispute.failure'), true)
      close()
    },
  })
}

/** What is typed, what is wrong with it, and sending it. */
function useDisputeForm(props: DisputeProps) {
  const { invoice } = props
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<DisputeDraft>(
    () => drafts.get(invoice.id) ?? { email: invoice.debtor.email ?? '', reason: '' },
  )
  const [left, setLeft] = useState<readonly Field[]>([])
  const [isSent, setSent] = useState(false)
  const dispute = useDispute(props)
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
      drafts.set(invoice.id, next)
      setDraft(next)
      dispute.reset()
    },
  })
  return { form, submit, fieldOf, isSending: dispute.isPending }
}

/** Tells what follows, then asks why (specification sections 2, 5 and 8). */
export default function DisputeDialog(props: DisputeProps) {
  const { invoice, logo, onClose } = props
  const formId = useId()
  const { form, submit, fieldOf, isSending } = useDisputeForm(props)
  return (
    <Dialog
      title={t('dispute.title')}
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={formId} busy={isSending ? t('dispute.busy') : undefined}>
            {t('dispute.title')}
          </Button>
          <Button look="text" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            {t('login.cancel')}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} className={css.form} onSubmit={submit} noValidate>
        <Subject invoice={invoice} logo={logo} />
        <Consequences client={invoice.clientName} />
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
      </form>
    </Dialog>
  )
}

function Subject({ invoice, logo }: { invoice: InvoiceAnswer; logo: string | null }) {
  const { balances, currency } = invoice
  return (
    <div className={css.subject}>
      <CreditorPlate name={invoice.clientName} logo={logo} />
      <div className={css.who}>
        <p className={css.client}>{invoice.clientName}</p>
        <p className={css.number}>{t('invoice.heading', { number: invoice.invoiceNumber })}</p>
      </div>
      <p className={css.amount}>
        {formatMoney(minorOf(balances.total), currency.invoiceCurrency, currentLanguage())}
      </p>
    </div>
  )
}

function Consequences({ client }: { client: string }) {
  const lines: readonly (readonly [IconName, string])[] = [
    ['pause', t('dispute.paused')],
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
