import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { normaliseZip, readReference } from '@kvitt/domain/references.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { whenIdle } from '@kvitt/ui/start/idle.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { invoiceQuery, queries } from '../calls.ts'
import { useInstance } from '../instance.ts'
import type { InvoiceKey } from '../session.ts'
import { PhoneSentence } from '../shell/phone-sentence.tsx'
import { latePage } from '../late-page.tsx'
import { t, type MessageId } from '../text.ts'
import { withMoreWords } from '../words.ts'
import { invoiceHash, type LoginState } from '../views.ts'
import { claimOf, isAccepted, openClaimSession, openSession } from './open-session.ts'
import css from './reference-form.module.css'
import { ServerDown } from './server-down.tsx'

const Letter = latePage(() => withMoreWords(import('./letter.tsx')))
/** Seldom seen, so it comes when it is wanted. */
const LoginFailed = latePage(() => withMoreWords(import('./login-failed.tsx')))

/** The letter is no part of the first screen: it comes when that stands, before anybody has opened it. */
function LetterLater() {
  const [hasTime, setTime] = useState(false)
  useEffect(() => whenIdle(() => setTime(true)), [])
  return hasTime && <Letter />
}

/** What is wrong with the form of a reference, or nothing. Says nothing about whether it exists: the server reads it as the books do. */
export function faultOfReference(text: string): MessageId | undefined {
  const reference = readReference(text)
  if (reference === '') return 'login.reference_missing'
  return /^\d+$/.test(reference) ? undefined : 'login.reference_digits'
}

/** A zip has letters and digits only, spaces and hyphens aside. */
export function faultOfZip(text: string): MessageId | undefined {
  const zip = normaliseZip(text)
  if (zip === '') return 'login.zip_missing'
  return /^[\p{L}\p{N}]+$/u.test(zip) ? undefined : 'login.zip_characters'
}

class NotAccepted extends Error {}

async function lookUp(key: InvoiceKey): Promise<InvoiceAnswer> {
  const invoice = await queries.fetchQuery({ ...invoiceQuery(key), staleTime: 0, retry: false })
  if (!isAccepted(invoice)) throw new NotAccepted()
  return invoice
}

function enter(invoice: InvoiceAnswer, key: InvoiceKey): void {
  const claim = claimOf(invoice, key)
  goTo(claim ? openClaimSession(key, claim) : invoiceHash(openSession(key, invoice)))
}

function useLogin(onRefused: (refused: LoginState['loginFailed']) => void) {
  return useMutation({
    mutationFn: lookUp,
    onSuccess: enter,
    onError: (error) => {
      if (error instanceof NotAccepted) onRefused(true)
      else if (error instanceof ApiRefusal && error.status < 500) onRefused(error)
    },
  })
}

type ReferenceFormProps = {
  reference: string
  zip: string
  invoiceNumber: string
  failedBefore: LoginState['loginFailed']
  /** Back to the choice of ways, where there is one. */
  onCancel: () => void
}

export function ReferenceForm(props: ReferenceFormProps) {
  const [reference, setReference] = useState(props.reference)
  const [zip, setZip] = useState(props.zip)
  const [checked, setChecked] = useState(false)
  const [refused, setRefused] = useState(props.failedBefore)
  const form = useRef<HTMLFormElement>(null)
  const login = useLogin(setRefused)
  const key = {
    reference: readReference(reference),
    zip: normaliseZip(zip),
    invoiceNumber: props.invoiceNumber || undefined,
  }

  const faults = { reference: faultOfReference(reference), zip: faultOfZip(zip) }
  const focusField = (name = 'reference') =>
    form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (login.isPending) return
    setChecked(true)
    setRefused(undefined)
    login.reset()
    if (faults.reference || faults.zip) return focusField(faults.reference ? 'reference' : 'zip')
    login.mutate(key)
  }
  const cancel = () => {
    setRefused(undefined)
    props.onCancel()
  }
  const startOver = () => {
    login.reset()
    setReference('')
    setZip('')
    setChecked(false)
    setRefused(undefined)
    focusField()
  }

  return (
    <form ref={form} className={css.form} onSubmit={submit} noValidate>
      {refused && (
        <LoginFailed refused={refused} tried={key} onInvoice={enter} onRetry={startOver} onCancel={cancel} />
      )}
      {login.isError && !refused && <ServerDown />}
      <TextField
        label={t('login.payment_reference')}
        hint={t('login.reference_hint')}
        error={checked && faults.reference ? t(faults.reference) : undefined}
        name="reference"
        inputMode="numeric"
        autoComplete="off"
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
      <TextField
        label={t('login.zip_code')}
        hint={t('login.zip_hint')}
        error={checked && faults.zip ? t(faults.zip) : undefined}
        name="zip"
        width="zip"
        autoComplete="postal-code"
        value={zip}
        onChange={(event) => setZip(event.currentTarget.value)}
      />
      <Disclosure look="text" title={t('login.where')}>
        <LetterLater />
      </Disclosure>
      <Button wide type="submit" busy={login.isPending ? t('login.busy') : undefined}>
        {t('nav.log_in')}
      </Button>
      <Phone />
    </form>
  )
}

function Phone() {
  const phone = useInstance()?.contactInformation.phone
  if (!phone) return null
  return (
    <p className={css.phone}>
      <PhoneSentence id="login.call_instead" phone={phone} />
    </p>
  )
}
