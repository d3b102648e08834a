import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { monthText } from '../shell/month-text.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import { closeMonth, fetchReport, reportQuery, type MonthReport } from './month-close-calls.ts'
import css from './month-close.module.css'

type Check = MonthReport['checks'][number]
type Currency = MonthReport['currencies'][number]

/** One month: what has to be in order, what it comes to, and how it is closed. */
export function MonthView({ month }: { month: string }) {
  const found = useQuery(reportQuery(month))
  if (found.isError) return <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <ListWaiting rows={6} />
  const report = found.data
  return (
    <>
      <section className={css.part}>
        <p className={css.sentence}>
          {t(report.closed ? 'month.is_closed' : 'month.is_open', { day: formatDay(report.day) })}
        </p>
        {report.closed && report.closed.note !== '' && (
          <p className={css.sentence}>{t('month.said', { note: report.closed.note })}</p>
        )}
        <ul className={css.checks} aria-label={t('month.checks')}>
          {report.checks.map((check) => (
            <CheckRow key={check.check} check={check} day={report.day} />
          ))}
        </ul>
        <Deeds report={report} />
      </section>
      {report.currencies.map((one) => (
        <OfCurrency key={one.currency} one={one} />
      ))}
    </>
  )
}

/** Where each point is looked at and mended. */
function hrefOf({ check }: Check, day: string): string {
  switch (check) {
    case 'nights':
      return hashOf({ view: 'jobs' })
    case 'receivables':
      return hashOf({ view: 'receivables' }, { day })
    case 'funds_differ':
    case 'funds_unproved':
    case 'below_zero':
      return hashOf({ view: 'client-funds' }, { day })
    case 'suspense':
      return hashOf({ view: 'suspense' })
    case 'settlements':
    case 'not_approved':
      return hashOf({ view: 'settlements' })
    case 'not_paid':
      return hashOf({ view: 'payouts' })
  }
}

function CheckRow({ check, day }: { check: Check; day: string }) {
  const { state, count } = check
  return (
    <li className={state === 'OK' ? css.ok : state === 'BLOCKS' ? css.bad : css.name}>
      <span>{t(`month.state.${state}`)}</span>
      <a href={hrefOf(check, day)}>
        {t(state === 'OK' ? `month.check.${check.check}` : `month.against.${check.check}`)}
      </a>
      {count > 0 && <span className={css.quiet}>{count}</span>}
    </li>
  )
}

function Deeds({ report }: { report: MonthReport }) {
  const { month, closed, checks, currencies } = report
  const may = useRight('close_month')
  const [isOpen, setOpen] = useState(false)
  const save = useMutation({
    mutationFn: ({ format, currency }: { format: 'pdf' | 'sie'; currency?: string }) =>
      fetchReport(month, format, currency),
    meta: { done: t('funds.saved') },
    onSuccess: (file, { format, currency = '' }) =>
      saveFile(file, `${month} ${currency}.${format === 'sie' ? 'si' : 'pdf'}`),
  })
  const isBlocked = checks.some(({ state }) => state === 'BLOCKS')
  return (
    <div className={css.acts}>
      {closed === null && may && !isBlocked && (
        <OfficeButton look="primary" onClick={() => setOpen(true)}>
          {t('month.close')}
        </OfficeButton>
      )}
      {closed === null && isBlocked && <p className={css.bad}>{t('month.blocked')}</p>}
      <OfficeButton isBusy={save.isPending} onClick={() => save.mutate({ format: 'pdf' })}>
        {t('funds.pdf')}
      </OfficeButton>
      {closed !== null &&
        currencies.map(({ currency }) => (
          <OfficeButton
            key={currency}
            isBusy={save.isPending}
            onClick={() => save.mutate({ format: 'sie', currency })}
          >
            {t('month.sie', { currency })}
          </OfficeButton>
        ))}
      {isOpen && (
        <ActDialog
          form={closeForm(report)}
          onCommit={({ note = '' }) => closeMonth(report, note)}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            reloadAll()
          }}
        />
      )}
    </div>
  )
}

function closeForm({ month, day, checks }: MonthReport): ActForm {
  const named = checks.filter(({ state }) => state === 'NAME')
  return {
    title: t('month.close_of', { month: monthText(month) }),
    consequence: t('month.close.text', { day: formatDay(day) }),
    more: named.length > 0 && (
      <ul>
        {named.map(({ check, count }) => (
          <li key={check}>
            {t(`month.against.${check}`)}: {count}
          </li>
        ))}
      </ul>
    ),
    fields: [
      {
        name: 'note',
        type: 'text',
        look: 'area',
        label: t(named.length > 0 ? 'month.why' : 'act.note'),
        mandatory: named.length > 0,
        check: (value) => (value.length > 2000 ? t('field.tooLongValidError', { max: 2000 }) : undefined),
      },
    ],
    commit: t('month.close'),
    done: t('month.close.done', { month: monthText(month) }),
    isFinal: true,
  }
}

function OfCurrency({ one }: { one: Currency }) {
  const { currency, funds, held, receivables, settlements, vatInvoices, suspense } = one
  const money = (amount: number | null) =>
    amount === null ? t('month.unknown') : <Figure minor={minorOf(amount)} currency={currency} />
  return (
    <section className={css.part}>
      <h2>{currency}</h2>
      <Facts
        rows={[
          {
            id: 'funds',
            name: t('view.client-funds'),
            value: funds ? t(`month.verdict.${funds.verdict}`) : t('month.no_funds'),
          },
          {
            id: 'difference',
            name: t('month.difference'),
            value: funds?.difference ? money(funds.difference) : null,
          },
          { id: 'held', name: t('month.held'), value: money(held) },
          { id: 'suspense', name: t('view.suspense'), value: money(suspense.total) },
          {
            id: 'owed',
            name: t('month.receivables', { count: receivables.count }),
            value: money(receivables.total),
          },
          ...receivables.ages
            .filter(({ count }) => count > 0)
            .map(({ bucket, count, total }) => ({
              id: bucket,
              name: `${t(`dashboard.${bucket}`)} (${count})`,
              value: money(total),
            })),
          { id: 'collected', name: t('settlement.collected'), value: money(settlements.collected) },
          {
            id: 'paid',
            name: t('month.settlements', { count: settlements.count }),
            value: money(settlements.paidOut),
          },
          {
            id: 'vat',
            name: t('month.vat_invoices', { count: vatInvoices.count }),
            value:
              vatInvoices.first === null
                ? '–'
                : t('month.vat_numbers', { first: vatInvoices.first, last: vatInvoices.last ?? 0 }),
          },
          { id: 'fees', name: t('month.fees'), value: money(vatInvoices.fees) },
          { id: 'tax', name: t('month.vat'), value: money(vatInvoices.vat) },
        ]}
      />
    </section>
  )
}
