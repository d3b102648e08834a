import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getInvoiceRequestTerms } from '@kvitt/domain/conversations/conversation.contract.ts'
import { LONGEST_MESSAGE } from '@kvitt/domain/conversations/conversation.ts'
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
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type ComponentProps, type FormEvent } from 'react'
import { isPeeking } from '../session.ts'
import { ActButton } from '../shell/act-button.tsx'
import { t } from '../text.ts'
import { ANSWER_DAYS, CloseButton, useAsk } from './asking.tsx'
import { ownPlanQuery } from './conversation-calls.ts'
import { Consequences, DebtSubject, type SubjectProps } from './debt-subject.tsx'
import css from './dispute-dialog.module.css'
import { faultOf } from './field-text.ts'
import { PlanFigures, type OwnPlan } from './plan-figures.tsx'

type Limits = NonNullable<AnswerOf<typeof getInvoiceRequestTerms>['plan']>
type PlanProps = SubjectProps & { limits: Limits; onClose: () => void }
type Draft = { amount: string; day: string; text: string; email: string; key: string }
type Field = Exclude<keyof Draft, 'key'>
const FIELDS: readonly Field[] = ['amount', 'day', 'text', 'email']

/** How long nothing is typed before it is counted. */
const PAUSE_MS = 400
/** Days from today that most begin with. */
const USUAL_DAYS = 30
const usualDay = ({ from, to }: Limits, today: string): string => {
  const usual = addDays(today as CalendarDate, USUAL_DAYS)
  return usual < from ? from : usual > to ? to : usual
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** What is typed, what is wrong with it, and what it comes to. */
function usePlan({ debt, about, limits }: PlanProps) {
  const [draft, setDraft] = useState<Draft>(() => ({
    amount: '',
    day: usualDay(limits, debt.today),
    text: '',
    email: about.debtor.email ?? '',
    key: crypto.randomUUID(),
  }))
  const money = (amount: number) => formatMoney(minorOf(amount), debt.currency, currentLanguage())
  const between = { least: money(limits.least), below: money(limits.below) }
  const days = { from: formatDay(limits.from), to: formatDay(limits.to) }
  const amount = readNumber(draft.amount) ?? ''
  const ruleFault = (field: Field): string | undefined => {
    if (field === 'amount') {
      const isRight = Number(amount) > 0 && Number(amount) < limits.below
      return isRight ? undefined : t('request.plan_amount_wrong', between)
    }
    if (field === 'day')
      return draft.day >= limits.from && draft.day <= limits.to ? undefined : t('request.day_wrong', days)
    return field === 'email' ? faultOf('email', draft.email.trim(), {}) : undefined
  }
  const change = (next: Partial<Draft>) =>
    // Another wish is another request.
    setDraft((before) => ({ ...before, ...next, key: crypto.randomUUID() }))
  const wished = ruleFault('amount') || ruleFault('day') ? '' : `${amount} ${draft.day}`
  const settled = useSettled(wished)
  const [of = '', day = ''] = settled.split(' ')
  const figures = useQuery({
    ...ownPlanQuery(debt.key, { amount: of, day }),
    enabled: settled !== '' && settled === wished,
    retry: false,
  })
  const isCurrent = settled === wished && settled !== ''
  const plan: OwnPlan | undefined = isCurrent ? figures.data : undefined
  const refusal = isCurrent && figures.error instanceof ApiRefusal ? figures.error : undefined
  return {
    draft,
    change,
    ruleFault,
    between,
    days,
    amount,
    plan,
    refusal,
    isCounting: wished !== '' && !plan,
    isFailed: isCurrent && figures.isError,
    countAgain: figures.refetch,
  }
}

/** Proposes a plan of the debtor's own: what it comes to is said before it is sent. */
export function PlanForm(props: PlanProps) {
  const { onClose } = props
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [isSent, setSent] = useState(false)
  const { send } = useAsk(props)
  const { draft, change, ruleFault, between, days, amount, plan, refusal, ...counted } = usePlan(props)
  const refused = send.error instanceof ApiRefusal ? send.error : refusal
  const refusedAt = FIELDS.find((field) => refused?.errors[0]?.field === field)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form is sent by Enter, too.
    if (isPeeking()) return
    setSent(true)
    const broken = FIELDS.find((field) => ruleFault(field)) ?? refusedAt
    if (broken) form.current?.querySelector<HTMLElement>(`[name=${broken}]`)?.focus()
    // Nobody agrees to what was not shown.
    else if (!send.isPending && plan) send.mutate(asked(plan), { onError: () => void counted.countAgain() })
  }
  const asked = (shown: OwnPlan) => ({
    key: draft.key,
    body: {
      kind: 'PLAN' as const,
      amount,
      day: draft.day,
      offerVersion: shown.offerVersion,
      text: draft.text.trim() || null,
      debtorEmail: shown.atOnce ? null : draft.email.trim() || null,
    },
  })
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
      title={t('request.plan')}
      onClose={onClose}
      actions={
        <>
          <ActButton type="submit" form={formId} busy={send.isPending ? t('dispute.busy') : undefined}>
            {t(plan?.atOnce ? 'request.plan_agree' : 'talk.send')}
          </ActButton>
          <CloseButton>{t('login.cancel')}</CloseButton>
        </>
      }
    >
      <form ref={form} id={formId} className={css.form} onSubmit={submit} noValidate>
        {(send.error || counted.isFailed) && !refusedAt && (
          <MessageBox tone="bad" role="alert">
            <p>{refused?.message ?? t('talk.no_answer')}</p>
          </MessageBox>
        )}
        <DebtSubject {...props} />
        <WishFields limits={props.limits} between={between} days={days} fieldOf={fieldOf} />
        {counted.isCounting && !counted.isFailed && <Skeleton height={12} />}
        {plan && <PlanFigures plan={plan} />}
        {plan && <Consequences lines={consequencesOf(props, plan)} />}
        <TextArea label={t('request.words')} longest={LONGEST_MESSAGE} {...fieldOf('text')} />
        {!plan?.atOnce && (
          <TextField
            label={t('talk.email')}
            hint={t('talk.email_hint')}
            type="email"
            autoComplete="email"
            inputMode="email"
            {...fieldOf('email')}
          />
        )}
      </form>
    </Dialog>
  )
}

type WishProps = {
  limits: Limits
  between: { least: string; below: string }
  days: { from: string; to: string }
  fieldOf: (name: Field) => Pick<ComponentProps<typeof TextField>, 'name' | 'error'> & {
    value: string
    onChange: (event: { currentTarget: { value: string } }) => void
  }
}

/** How much a month, and from which day on. */
function WishFields({ limits, between, days, fieldOf }: WishProps) {
  return (
    <>
      <TextField
        label={t('request.plan_amount')}
        hint={t('request.plan_between', between)}
        inputMode="decimal"
        {...fieldOf('amount')}
      />
      <TextField
        label={t('request.plan_first')}
        hint={t('request.days', days)}
        type="date"
        min={limits.from}
        max={limits.to}
        {...fieldOf('day')}
      />
    </>
  )
}

type Lines = readonly (readonly [IconName, string])[]

/** What follows once it is sent, and what rests until it is answered. */
function consequencesOf({ about, debt }: PlanProps, plan: OwnPlan): Lines {
  const client = about.clientName
  if (plan.atOnce)
    return [
      ['check', t('request.plan_at_once', { client })],
      ['calendar', t('request.plan_bills')],
    ]
  const bears = !('statuses' in about) || debt.expireDate < debt.today
  return [
    ['send', t('talk.sent_on', { client: client.replace(/\.$/, '') })],
    ['calendar', t('talk.answered_within', { client, days: ANSWER_DAYS })],
    ['clock', t(plan.rests ? 'request.rests' : 'request.rests_not')],
    ...(bears ? ([['info', t('request.plan_interest_until')]] as const) : []),
  ]
}
