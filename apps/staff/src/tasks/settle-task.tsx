import { PAYMENT_STATUSES } from '@kvitt/domain/payments/payment.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../calls.ts'
import { gatewayName } from '../shell/gateway-name.ts'
import { Facts } from '../shell/facts.tsx'
import { countryName, figureName } from '../shell/figure-words.ts'
import { t } from '../text.ts'
import { taskQuery, type Task } from './task-calls.ts'
import css from './task-keeping.module.css'

const LONGEST = 1000

/** Another may have ended it meanwhile. */
const reload = () => void queries.invalidateQueries({ queryKey: ['tasks'] })

const form = (): ActForm => ({
  title: t('todo.settle'),
  consequence: t('todo.settle.text'),
  fields: [
    {
      name: 'reason',
      type: 'text',
      look: 'area',
      label: t('todo.settle.reason'),
      mandatory: true,
      check: (value) =>
        value.trim().length > LONGEST ? t('field.tooLongValidError', { max: LONGEST }) : undefined,
    },
  ],
  commit: t('todo.settle'),
  done: t('todo.settle.done'),
})

/** Ends what has been settled with the bank or the gateway. */
export function SettleTask({ task: { id }, onDone }: { task: Task; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <OfficeButton look="primary" onClick={() => setOpen(true)}>
        {t('todo.settle')}
      </OfficeButton>
      {isOpen && (
        <ActDialog
          form={form()}
          onCommit={({ reason = '' }) =>
            api.ask(staffCall('POST', '/admin/tasks/:id/settle', { id }), { body: { reason: reason.trim() } })
          }
          onClose={() => {
            setOpen(false)
            reload()
          }}
          onDone={() => {
            reload()
            onDone()
          }}
        />
      )}
    </div>
  )
}

/** What has words; the other names stand as the engine wrote them, for whoever asks the bank or the developers. */
const NAMED = [
  'reason',
  'valueOn',
  'bookedOn',
  'day',
  'after',
  'before',
  'account',
  'references',
  'invoiceNumber',
  'claimNumber',
  'reported',
  'file',
  'gateway',
  'status',
  'createdAt',
  'stale',
  'outcomeUnknown',
  'days',
  'figure',
  'from',
  'chargedOtherwise',
] as const
const nameOf = (name: string): string => {
  const known = NAMED.find((one) => one === name)
  return known ? t(`task.detail.${known}`) : name
}

/** A day whose money a gateway told of, and no file of the bank. */
function lateText({ day, minor, currency }: { day: string; minor: number; currency: string }): string {
  return `${formatDay(day)}: ${formatMoney(minor, currency, currentLanguage())}`
}

function statusText(status: string): string {
  const known = PAYMENT_STATUSES.find((one) => one === status)
  return known ? t(`payment.status.${known}`) : status
}

function textOf(name: string, value: unknown, currency: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (name.endsWith('Minor') && typeof currency === 'string')
    return formatMoney(Number(value), currency, currentLanguage())
  if (name === 'days' && Array.isArray(value)) return value.map(lateText).join('; ')
  if (name === 'gateway' && typeof value === 'string') return gatewayName(value)
  if (name === 'status' && typeof value === 'string') return statusText(value)
  if (name === 'createdAt' && typeof value === 'string') return momentText(value)
  if (value === true) return t('task.detail.yes')
  if (value === false) return ''
  if (Array.isArray(value)) return value.map((one) => textOf(name, one, currency)).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^\d{4}-\d\d-\d\d$/.test(value) ? formatDay(value) : value
}

/** A rate or fee of a country. */
const figureText = ({ country, figure }: Readonly<Record<string, unknown>>): string =>
  `${figureName(String(country), String(figure))}, ${countryName(String(country))}`

/** What is known of the cause of a task of the operator's. */
export function TaskCause({ id }: { id: string }) {
  const details = useQuery(taskQuery(id)).data?.details ?? {}
  const rows = Object.entries(details)
    // These stand above.
    .filter(
      ([name]) =>
        !['amountMinor', 'currency', 'of', ...('figure' in details ? ['country', 'reason'] : [])].includes(
          name,
        ),
    )
    .map(([name, value]) => ({
      id: name,
      name: nameOf(name),
      value: name === 'figure' ? figureText(details) : textOf(name, value, details['currency']),
    }))
    .filter(({ value }) => value !== '')
  if (rows.length === 0) return null
  return (
    <section className={css.cause}>
      <h3>{t('todo.cause')}</h3>
      <Facts rows={rows} />
    </section>
  )
}
