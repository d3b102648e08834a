import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getInvoiceRequestTerms } from '@kvitt/domain/conversations/conversation.contract.ts'
import { PAID_HOW, type PaidHow } from '@kvitt/domain/conversations/request.ts'
import { readNumber } from '@kvitt/domain/form/field-rules.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import type { IconName } from '@kvitt/ui/components/icon.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { TextArea } from '@kvitt/ui/form/text-area.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { LONGEST_MESSAGE } from '@kvitt/domain/conversations/conversation.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState, type ComponentProps, type FormEvent } from 'react'
import { isPeeking } from '../session.ts'
import { ActButton } from '../shell/act-button.tsx'
import { t } from '../text.ts'
import { ANSWER_DAYS, Asked, CloseButton, useAsk, type Asking } from './asking.tsx'
import { requestTermsQuery } from './conversation-calls.ts'
import { Consequences, DebtSubject, type SubjectProps } from './debt-subject.tsx'
import css from './dispute-dialog.module.css'
import { faultOf } from './field-text.ts'
import { FilePicker } from './file-picker.tsx'
import type { OutgoingFiles } from './outgoing.ts'
import { PlanForm } from './plan-form.tsx'
import { ASK_TEXTS, HOW_TEXTS, type RequestKind } from './request-texts.ts'
import look from './request-dialog.module.css'

type Terms = AnswerOf<typeof getInvoiceRequestTerms>
type RequestProps = SubjectProps & { kind: RequestKind; onClose: () => void }

/** Asks for more time or a plan, or says that it was paid: what can be asked for is read first. */
export default function RequestDialog(props: RequestProps) {
  const { kind, debt, onClose } = props
  const terms = useQuery({ ...requestTermsQuery(debt.key), staleTime: 0 })
  const limits = kind === 'MORE_TIME' ? terms.data?.moreTime : terms.data?.saidPaid
  if (kind === 'PLAN' && terms.data?.plan) return <PlanForm {...props} limits={terms.data.plan} />
  if (kind !== 'PLAN' && limits && terms.data) return <RequestForm {...props} terms={terms.data} />
  return (
    <Dialog
      title={t(ASK_TEXTS[kind])}
      onClose={onClose}
      actions={<CloseButton>{t('form.close')}</CloseButton>}
    >
      <DebtSubject {...props} />
      {terms.isPending ? (
        <Skeleton height={12} />
      ) : (
        <MessageBox tone={terms.isError ? 'bad' : 'info'} role="alert">
          <p>{t(terms.isError ? 'talk.no_answer' : 'request.not_now')}</p>
        </MessageBox>
      )}
    </Dialog>
  )
}

/** How long more time is when nobody says otherwise, in days, where none is granted at once. */
const USUAL_DAYS = 14

type Draft = { day: string; amount: string; how: PaidHow; text: string; email: string; key: string }
type Field = 'day' | 'amount' | 'text' | 'email'

/** Refusals that a field can mend, by the path that they name. */
const FIELDS: readonly Field[] = ['day', 'amount', 'text', 'email']

function usualDay({ moreTime }: Terms): string {
  if (!moreTime) return ''
  const usual = addDays(moreTime.from as CalendarDate, USUAL_DAYS - 1)
  return moreTime.atOnce ?? (usual < moreTime.to ? usual : moreTime.to)
}

/** What is typed, and what is wrong with it. */
function useRequest({ kind, debt, about, terms }: RequestProps & { terms: Terms }) {
  const [draft, setDraft] = useState<Draft>(() => ({
    day: kind === 'MORE_TIME' ? usualDay(terms) : debt.today,
    amount: (debt.balanceMinor / 100).toFixed(2).replace('.', ','),
    how: 'BANK',
    text: '',
    email: about.debtor.email ?? '',
    key: crypto.randomUUID(),
  }))
  const limits = (kind === 'MORE_TIME' ? terms.moreTime : terms.saidPaid) ?? { from: '', to: '' }
  const days = { from: formatDay(limits.from), to: formatDay(limits.to) }
  const minor = Math.round(Number(readNumber(draft.amount) ?? '0') * 100)
  const isByRule = kind === 'MORE_TIME' && draft.day <= (terms.moreTime?.atOnce ?? '')
  const ruleFault = (field: Field): string | undefined => {
    if (field === 'day')
      return draft.day >= limits.from && draft.day <= limits.to ? undefined : t('request.day_wrong', days)
    if (field === 'email') return faultOf('email', draft.email.trim(), {})
    if (field === 'text' || kind === 'MORE_TIME') return undefined
    const most = formatMoney(debt.balanceMinor, debt.currency, currentLanguage())
    return minor > 0 && minor <= debt.balanceMinor ? undefined : t('request.amount_wrong', { amount: most })
  }
  const change = (next: Partial<Draft>) =>
    // Another wish is another request.
    setDraft((before) => ({ ...before, ...next, key: crypto.randomUUID() }))
  const asking = (): Asking => ({
    key: draft.key,
    body: {
      kind,
      day: draft.day,
      text: draft.text.trim() || null,
      ...(kind === 'SAID_PAID' ? { amount: readNumber(draft.amount) ?? '', how: draft.how } : {}),
      debtorEmail: isByRule ? null : draft.email.trim() || null,
    },
  })
  return { draft, change, ruleFault, days, limits, isByRule, asking }
}

function RequestForm(props: RequestProps & { terms: Terms }) {
  const { kind, debt } = props
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [isSent, setSent] = useState(false)
  const { outgoing, asked, send, finish } = useAsk(props)
  const request = useRequest(props)
  const { draft, change, ruleFault } = request
  const refused = send.error instanceof ApiRefusal ? send.error : undefined
  const refusedAt = FIELDS.find((field) => refused?.errors[0]?.field === field)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form is sent by Enter, too.
    if (isPeeking()) return
    setSent(true)
    const broken = FIELDS.find((field) => ruleFault(field))
    if (broken) form.current?.querySelector<HTMLElement>(`[name=${broken}]`)?.focus()
    else if (!send.isPending) send.mutate(request.asking())
  }
  if (asked !== undefined)
    return <Asked title={t(ASK_TEXTS[kind])} debt={debt} id={asked} outgoing={outgoing} onFinish={finish} />
  const fieldOf = (name: Field) => ({
    name,
    value: draft[name],
    error: refusedAt === name ? refused?.message : isSent ? ruleFault(name) : undefined,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      change({ [name]: currentTarget.value })
      send.reset()
    },
  })
  return (
    <Dialog
      title={t(ASK_TEXTS[kind])}
      onClose={props.onClose}
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
        {send.error && !refusedAt && (
          <MessageBox tone="bad" role="alert">
            <p>{refused?.message ?? t('talk.no_answer')}</p>
          </MessageBox>
        )}
        <DebtSubject {...props} />
        <Fields {...props} request={request} outgoing={outgoing} fieldOf={fieldOf} />
      </form>
    </Dialog>
  )
}

type FieldsProps = RequestProps & {
  terms: Terms
  request: ReturnType<typeof useRequest>
  outgoing: OutgoingFiles
  fieldOf: (name: Field) => Pick<ComponentProps<typeof TextField>, 'name' | 'error'> & {
    value: string
    onChange: (event: { currentTarget: { value: string } }) => void
  }
}

/** What is asked for, what comes of it, and what shows it. */
function Fields(props: FieldsProps) {
  const { kind, terms, request, outgoing, fieldOf } = props
  const { draft, change, days, limits, isByRule } = request
  const atOnce = kind === 'MORE_TIME' && terms.moreTime?.atOnce
  return (
    <>
      {kind === 'SAID_PAID' && (
        <TextField label={t('request.amount')} inputMode="decimal" {...fieldOf('amount')} />
      )}
      <TextField
        label={t(kind === 'MORE_TIME' ? 'request.until' : 'request.paid_on')}
        hint={
          atOnce
            ? `${t('request.days', days)} ${t('request.days_at_once', { day: formatDay(atOnce) })}`
            : t('request.days', days)
        }
        type="date"
        min={limits.from}
        max={limits.to}
        {...fieldOf('day')}
      />
      {kind === 'SAID_PAID' && <How chosen={draft.how} onChoose={(how) => change({ how })} />}
      <Consequences lines={consequencesOf(props, isByRule)} />
      <TextArea label={t('request.words')} longest={LONGEST_MESSAGE} {...fieldOf('text')} />
      {kind === 'SAID_PAID' && (
        <FilePicker
          label={t('request.proof')}
          outgoing={outgoing}
          onChoose={(chosen) => void outgoing.add(chosen)}
        />
      )}
      {!isByRule && (
        <TextField
          label={t('talk.email')}
          hint={t('talk.email_hint')}
          type="email"
          autoComplete="email"
          inputMode="email"
          {...fieldOf('email')}
        />
      )}
    </>
  )
}

type Lines = readonly (readonly [IconName, string])[]

/** What follows once it is sent, and what it costs. */
function consequencesOf(
  { kind, terms, debt, about }: RequestProps & { terms: Terms },
  isByRule: boolean,
): Lines {
  const { moreTime, saidPaid } = terms
  const interest = t(moreTime?.interestGoesOn ? 'request.interest' : 'request.no_interest')
  if (isByRule)
    return [
      ['check', t('request.given_at_once')],
      ['info', interest],
    ]
  const client = about.clientName
  const bears = !('statuses' in about) || debt.expireDate < debt.today
  const rests = kind === 'MORE_TIME' ? moreTime?.rests : saidPaid?.rests
  return [
    ['send', t('talk.sent_on', { client: client.replace(/\.$/, '') })],
    ['calendar', t('talk.answered_within', { client, days: ANSWER_DAYS })],
    ['clock', t(rests ? 'request.rests' : 'request.rests_not')],
    // What is not due yet bears none.
    ...(bears ? ([['info', t('request.interest')]] as const) : []),
  ]
}

function How({ chosen, onChoose }: { chosen: PaidHow; onChoose: (how: PaidHow) => void }) {
  return (
    <fieldset className={look.how}>
      <legend>{t('request.how')}</legend>
      {PAID_HOW.map((how) => (
        <label key={how}>
          <input type="radio" name="how" checked={how === chosen} onChange={() => onChoose(how)} />
          {t(HOW_TEXTS[how])}
        </label>
      ))}
    </fieldset>
  )
}
