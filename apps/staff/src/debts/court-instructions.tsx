import { decimalText } from '@kvitt/office/money-text.ts'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getOfficeSettings } from '@kvitt/domain/creditors/office-creditor.contract.ts'
import { readNumber } from '@kvitt/domain/form/field-rules.ts'
import { CURRENCIES, type Currency } from '@kvitt/domain/money.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ActDialog, type ActField, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useState } from 'react'
import { api } from '../calls.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import css from './court-instructions.module.css'

type Instruction = AnswerOf<typeof getOfficeSettings>['courtInstructions'][number]
type Values = Readonly<Record<string, string>>

type CourtInstructionsProps = {
  instructions: readonly Instruction[]
  today: CalendarDate
  /** Whether whoever is here may give one and end it. */
  may: boolean
  /** Of an operator's person: whose it is. They enter what the creditor has said, and where that is written. */
  creditor?: string
}

/** What is taken to an authority without the creditor being asked, and the forms that say so. */
export function CourtInstructions({ instructions, today, may, creditor }: CourtInstructionsProps) {
  const [form, setForm] = useState<{ readonly of?: Instruction; readonly isEnd?: boolean }>()
  const close = () => setForm(undefined)
  return (
    <>
      {instructions.length === 0 && (
        <p>{t(creditor === undefined ? 'settings.court.none' : 'settings.court.none_of')}</p>
      )}
      {instructions.length > 0 && (
        <ul className={css.accounts}>
          {instructions.map((one) => (
            <li key={`${one.currency} ${one.validFrom}`}>
              <p>
                {t('settings.court.up_to')}{' '}
                <Figure minor={minorOf(one.largestClaim)} currency={one.currency} />
              </p>
              <p className={css.quiet}>
                {t('settings.court.valid', {
                  from: formatDay(one.validFrom),
                  to: formatDay(one.validTo),
                  person: one.person,
                })}
              </p>
              {may && (
                <p className={css.acts}>
                  <OfficeButton onClick={() => setForm({ of: one })}>
                    {t('settings.court.change')}
                  </OfficeButton>
                  <OfficeButton onClick={() => setForm({ of: one, isEnd: true })}>
                    {t('settings.court.end')}
                  </OfficeButton>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {may && instructions.length < CURRENCIES.length && (
        <div>
          <OfficeButton onClick={() => setForm({})}>{t('settings.court.give')}</OfficeButton>
        </div>
      )}
      {form && (
        <ActDialog
          form={form.isEnd ? endForm(creditor) : giveForm({ of: form.of, today, creditor })}
          onCommit={(values) =>
            form.isEnd && form.of
              ? end(form.of.currency as Currency, values, creditor)
              : give(values, creditor)
          }
          onClose={close}
          onDone={() => {
            close()
            reloadAll()
          }}
        />
      )}
    </>
  )
}

const sourceField = (): ActField => ({
  name: 'source',
  type: 'text',
  label: t('client.source'),
  hint: t('settings.court.source_hint'),
  mandatory: true,
  check: (value) => (value.trim().length > 200 ? t('field.tooLongValidError', { max: 200 }) : undefined),
})

function giveForm({
  of,
  today,
  creditor,
}: {
  readonly of: Instruction | undefined
  readonly today: CalendarDate
  readonly creditor: string | undefined
}): ActForm {
  const day = (name: 'from' | 'to', initial: string): ActField => ({
    name,
    type: 'date',
    look: 'date',
    label: t(`settings.court.${name}`),
    mandatory: true,
    initial,
    ...(name === 'to' ? { min: today } : {}),
  })
  const currency = of?.currency ?? 'SEK'
  return {
    title: t(of ? 'settings.court.change' : 'settings.court.give'),
    consequence: t('settings.court.text'),
    fields: [
      day('from', of?.validFrom ?? today),
      day('to', of?.validTo ?? addDays(today, 364)),
      {
        name: 'largestClaim',
        type: 'float',
        look: 'number',
        label: t('settings.court.largest'),
        mandatory: true,
        initial: of ? decimalText(of.largestClaim.toFixed(2)) : '',
        check: (value) =>
          /^\d+(\.\d{1,2})?$/.test(readNumber(value) ?? '') && Number(readNumber(value)) > 0
            ? undefined
            : t('act.amount_wrong'),
      },
      {
        name: 'currency',
        type: 'text',
        look: 'choice',
        label: t('client.currency'),
        initial: currency,
        choices: (of ? [currency] : CURRENCIES).map((value) => ({ value, text: value })),
      },
      ...(creditor === undefined
        ? []
        : [
            {
              name: 'person',
              type: 'text' as const,
              label: t('settings.court.person'),
              mandatory: true,
              initial: of?.person ?? '',
            },
            sourceField(),
          ]),
    ],
    commit: t(of ? 'settings.court.change' : 'settings.court.give'),
    done: t('settings.court.done'),
  }
}

const endForm = (creditor: string | undefined): ActForm => ({
  title: t('settings.court.end'),
  consequence: t('settings.court.end.text'),
  fields: creditor === undefined ? [] : [sourceField()],
  commit: t('settings.court.end'),
  done: t('settings.court.end.done'),
})

function give(values: Values, creditor: string | undefined): Promise<unknown> {
  const { from = '', to = '', largestClaim = '', currency = 'SEK', person = '', source = '' } = values
  const body = {
    from,
    to,
    largestClaim: readNumber(largestClaim) ?? largestClaim,
    currency: currency as Currency,
  }
  return creditor === undefined
    ? api.ask(staffCall('PUT', '/client/settings/court-instruction'), { body })
    : api.ask(staffCall('POST', '/admin/clients/:id/court-instruction', { id: creditor }), {
        body: { ...body, person: person.trim(), source: source.trim() },
      })
}

function end(currency: Currency, { source = '' }: Values, creditor: string | undefined): Promise<unknown> {
  return creditor === undefined
    ? api.ask(staffCall('POST', '/client/settings/court-instruction/end'), { body: { currency } })
    : api.ask(staffCall('POST', '/admin/clients/:id/court-instruction/end', { id: creditor }), {
        body: { currency, source: source.trim() },
      })
}
