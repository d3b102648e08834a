import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ChoiceField, OfficeField, SelectField } from '@kvitt/office/form/office-field.tsx'
import { useFields, type FieldSpecs, type Fields } from '@kvitt/office/form/use-fields.ts'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../calls.ts'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { countryOf, draftBody, DRAFT_CURRENCIES, emptyRow, priceRows, type TypedRow } from './draft-form.ts'
import { DraftRows } from './draft-rows.tsx'
import { reloadInvoices } from './invoice-calls.ts'
import css from './new-invoice-page.module.css'

/** How long a debtor has to pay when nobody says otherwise. */
const USUAL_DAYS = 30

/** Writes an invoice: whose it is, its days, its rows. It is a draft until it is approved. */
export default function NewInvoicePage() {
  usePageName(t('draft.title'))
  const today = useQuery(todayQuery)
  if (today.data === undefined) return <Bar title={t('draft.title')} />
  return <DraftForm today={today.data as CalendarDate} />
}

function specsFor(country: string): FieldSpecs {
  return {
    type: { type: 'text' },
    name: { type: 'text', mandatory: true },
    identificationNumber: { type: 'identificationNumber', country },
    customerNumber: { type: 'text' },
    email: { type: 'email' },
    phone: { type: 'phone' },
    address: { type: 'text', mandatory: true },
    zip: { type: 'zip', mandatory: true, country },
    city: { type: 'text', mandatory: true },
    countryCode: { type: 'country', mandatory: true },
    invoiceNumber: { type: 'text' },
    invoiceDate: { type: 'date', mandatory: true },
    expireDate: { type: 'date', mandatory: true },
    currency: { type: 'text', mandatory: true },
  }
}

function useSave(fields: Fields, rows: readonly TypedRow[], onWrong: (field: string | undefined) => void) {
  const [key] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: () =>
      api.ask(staffCall('POST', '/client/invoices'), {
        body: draftBody(fields.values, rows),
        headers: { 'Idempotency-Key': key },
      }),
    meta: { done: t('draft.saved') },
    onSuccess: ({ id }) => {
      void reloadInvoices()
      goTo(hashOf({ view: 'invoices', id }), { replace: true })
    },
    onError: (error) => {
      if (!(error instanceof ApiRefusal)) return
      fields.refuse(
        Object.fromEntries(error.errors.map(({ field, message }) => [field.replace('debtor.', ''), message])),
      )
      onWrong(error.errors.find(({ field }) => field.startsWith('rows.'))?.field)
    },
  })
}

function DraftForm({ today }: { today: CalendarDate }) {
  const [country, setCountry] = useState('SE')
  const fields = useFields(specsFor(country), {
    type: 'PERSON',
    countryCode: 'SE',
    currency: 'SEK',
    invoiceDate: today,
    expireDate: addDays(today, USUAL_DAYS),
  })
  const [rows, setRows] = useState([emptyRow(1, '25')])
  const [wrong, setWrong] = useState<string>()
  const currency = (fields.values['currency'] ?? 'SEK') as Currency
  const save = useSave(fields, rows, setWrong)
  const commit = () => {
    const priced = priceRows(rows, currency)
    const fault = 'field' in priced ? priced.field : undefined
    setWrong(fault)
    if (!fields.check() || save.isPending) return
    if (fault === undefined) save.mutate()
    else requestAnimationFrame(() => document.getElementsByName(fault)[0]?.focus())
  }
  const wrongRow = wrong?.startsWith('rows') ? wrong : undefined
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        commit()
      }}
    >
      <Bar
        title={t('draft.title')}
        crumb={{ href: hashOf({ view: 'invoices' }), text: t('view.invoices') }}
        actions={
          <OfficeButton type="submit" look="primary" isBusy={save.isPending}>
            {t('draft.save')}
          </OfficeButton>
        }
      />
      <DebtorFields fields={fields} onCountry={setCountry} />
      <PaperFields fields={fields} />
      <section className={css.section}>
        <h2>{t('draft.rows')}</h2>
        {wrongRow && (
          <p className={css.wrong} role="alert">
            {t('draft.row_wrong')}
          </p>
        )}
        <DraftRows
          rows={rows}
          currency={currency}
          day={fields.values['invoiceDate'] || today}
          wrong={wrongRow}
          onRows={(next) => {
            setWrong(undefined)
            setRows([...next])
          }}
        />
      </section>
    </form>
  )
}

function DebtorFields({ fields, onCountry }: { fields: Fields; onCountry: (country: string) => void }) {
  const country = fields.propsOf('countryCode')
  return (
    <section className={css.section}>
      <h2>{t('invoice.debtor')}</h2>
      <ChoiceField
        label={t('draft.kind')}
        name="type"
        value={fields.values['type'] ?? 'PERSON'}
        choices={[
          { value: 'PERSON', text: t('debtor.person') },
          { value: 'COMPANY', text: t('debtor.company') },
        ]}
        onValue={(value) => fields.set('type', value)}
      />
      <div className={css.grid}>
        <OfficeField {...fields.propsOf('name')} label={t('debtor.name')} />
        <OfficeField {...fields.propsOf('identificationNumber')} label={t('debtor.identification_number')} />
        <OfficeField {...fields.propsOf('address')} label={t('debtor.address')} />
        <OfficeField {...fields.propsOf('zip')} label={t('debtor.zip')} />
        <OfficeField {...fields.propsOf('city')} label={t('debtor.city')} />
        <OfficeField
          {...country}
          label={t('debtor.country')}
          onValue={(value) => {
            country.onValue(value.toUpperCase())
            if (value.length === 2) onCountry(value.toUpperCase())
          }}
        />
        <OfficeField {...fields.propsOf('email')} label={t('debtor.email')} />
        <OfficeField {...fields.propsOf('phone')} label={t('debtor.phone')} />
        <OfficeField {...fields.propsOf('customerNumber')} label={t('debtor.customer_number')} />
      </div>
    </section>
  )
}

function PaperFields({ fields }: { fields: Fields }) {
  return (
    <section className={css.section}>
      <h2>{t('invoice.invoice')}</h2>
      <div className={css.grid}>
        <OfficeField
          {...fields.propsOf('invoiceNumber')}
          label={t('draft.number')}
          hint={t('draft.number_hint')}
        />
        <OfficeField {...fields.propsOf('invoiceDate')} label={t('invoice.made')} look="date" />
        <OfficeField {...fields.propsOf('expireDate')} label={t('invoice.due')} look="date" />
        <SelectField
          label={t('draft.currency')}
          name="currency"
          value={fields.values['currency'] ?? 'SEK'}
          choices={DRAFT_CURRENCIES.map((value) => ({ value, text: `${value} (${countryOf(value)})` }))}
          onValue={(value) => fields.set('currency', value)}
        />
      </div>
    </section>
  )
}
