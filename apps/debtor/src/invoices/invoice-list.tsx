import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { isClosed } from '@kvitt/domain/invoices/invoice.ts'
import { Dotted } from '@kvitt/ui/values/dotted.tsx'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useIsWide } from '@kvitt/ui/shell/wide.ts'
import { useQuery } from '@tanstack/react-query'
import { logoQuery } from '../debts/list-calls.ts'
import { CreditorPlate } from '../debts/creditor-plate.tsx'
import { t } from '../text.ts'
import css from '../debts/debt-list.module.css'
import { InvoiceTag } from './invoice-tag.tsx'
import { runsInPlan } from './invoice-tags.tsx'
import { openFromList, openFromRow } from '../debts/open-from-list.ts'
import { hashOf, keyOf } from './open-invoice.ts'

type ListProps = {
  invoices: readonly InvoiceAnswer[]
  /** Names the table for screen readers. */
  labelledBy: string
}

type Figures = { readonly invoiced: string; readonly due: string }

/**
 * Invoice amount, and what is due and to pay. Of a plan that is what no part invoice has asked for yet: those stand in the
 * list themselves, so each krona stands here once, and the rows come to the sum above them (D-29).
 */
function figuresOf(invoice: InvoiceAnswer): Figures {
  const money = (minor: number) => formatMoney(minor, invoice.currency.invoiceCurrency, currentLanguage())
  // What was owed when an invoice was stopped is not owed any more.
  const dueMinor = isClosed(invoice.statuses.main) ? 0 : minorOf(invoice.balances.total)
  return { invoiced: money(minorOf(invoice.totals.totalToPay)), due: money(dueMinor) }
}

/** Invoices as a table on wide screens and as cards on narrow ones. */
export function InvoiceList(props: ListProps) {
  return useIsWide() ? <InvoiceTable {...props} /> : <InvoiceCards {...props} />
}

function InvoiceTable({ invoices, labelledBy }: ListProps) {
  return (
    <table className={css.table} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <th scope="col">{t('invoice.invoice')}</th>
          <th scope="col">{t('invoice.sender')}</th>
          <th scope="col">{t('dashboard.status')}</th>
          <th scope="col" className={css.figure}>
            {t('invoice.amount')}
          </th>
          <th scope="col" className={css.figure}>
            {t('invoice.total_due')}
          </th>
          <th scope="col" className={css.figure}>
            {t('invoice.to_pay')}
          </th>
          <th scope="col">
            <span className="spoken">{t('dashboard.to_invoice')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </tbody>
    </table>
  )
}

type ItemProps = { invoice: InvoiceAnswer }

/** The creditor's mark, asked for once however many rows it has. */
function Logo({ invoice, isSmall = false }: { invoice: InvoiceAnswer; isSmall?: boolean }) {
  const logo = useQuery(logoQuery(invoice.clientName, keyOf(invoice)))
  return <CreditorPlate name={invoice.clientName} logo={logo.data ?? null} isSmall={isSmall} />
}

function InvoiceRow({ invoice }: ItemProps) {
  const { invoiced, due } = figuresOf(invoice)
  const isOver = isClosed(invoice.statuses.main)
  return (
    <tr className={css.row} onClick={(event) => openFromRow(event, hashOf(invoice))}>
      <th scope="row" className={css.number}>
        {isOver ? <NumberLink invoice={invoice} /> : invoice.invoiceNumber}
      </th>
      <td className={css.from}>
        <span className={css.sender}>
          <Logo invoice={invoice} isSmall />
          <span title={invoice.clientName}>{invoice.clientName}</span>
        </span>
      </td>
      <td className={css.state}>
        <InvoiceTag invoice={invoice} />
      </td>
      <td className={css.figure}>{invoiced}</td>
      <td className={css.figure}>{due}</td>
      <td className={css.toPay}>
        {due}
        {runsInPlan(invoice) && <span className={css.sub}>{t('dashboard.by_instalments')}</span>}
      </td>
      <td className={css.go}>{!isOver && <ToInvoice invoice={invoice} />}</td>
    </tr>
  )
}

/** A closed invoice has no "To invoice", but is opened all the same: by keyboard through its number. */
function NumberLink({ invoice }: { invoice: InvoiceAnswer }) {
  return (
    <a
      className={css.numberLink}
      href={hashOf(invoice)}
      onClick={(event) => openFromList(event, hashOf(invoice))}
    >
      {invoice.invoiceNumber}
    </a>
  )
}

function ToInvoice({ invoice }: { invoice: InvoiceAnswer }) {
  return (
    <a
      className={css.toInvoice}
      href={hashOf(invoice)}
      onClick={(event) => openFromList(event, hashOf(invoice))}
    >
      <span>
        {t('dashboard.to_invoice')}
        <span className="spoken"> {invoice.invoiceNumber}</span>
      </span>
      <Icon name="chevron-right" size={20} />
    </a>
  )
}

function InvoiceCards({ invoices, labelledBy }: ListProps) {
  return (
    <ul className={css.cards} aria-labelledby={labelledBy}>
      {invoices.map((invoice) => (
        <InvoiceCard key={invoice.id} invoice={invoice} />
      ))}
    </ul>
  )
}

function InvoiceCard({ invoice }: ItemProps) {
  const { invoiced, due } = figuresOf(invoice)
  const isOver = isClosed(invoice.statuses.main)
  const isPlanned = runsInPlan(invoice)
  const differs = !isOver && invoiced !== due
  return (
    // biome-ignore lint: the link inside is what the keyboard uses
    <li className={css.card} onClick={(event) => openFromRow(event, hashOf(invoice))}>
      <div className={css.who}>
        <Logo invoice={invoice} />
        <div>
          <p className={css.name}>{invoice.clientName}</p>
          <p className={css.sub}>
            {isOver ? (
              <a href={hashOf(invoice)} onClick={(event) => openFromList(event, hashOf(invoice))}>
                {t('invoice.heading', { number: invoice.invoiceNumber })}
              </a>
            ) : (
              t('invoice.heading', { number: invoice.invoiceNumber })
            )}
          </p>
        </div>
      </div>
      <div className={css.sum}>
        <div>
          <p className={css.sub}>{t(isOver ? 'invoice.amount' : 'invoice.to_pay')}</p>
          <p className={css.amount}>{isOver ? invoiced : due}</p>
        </div>
        <InvoiceTag invoice={invoice} />
      </div>
      {(differs || isPlanned) && (
        <p className={css.sub}>
          <Dotted
            parts={[
              isPlanned && t('dashboard.by_instalments'),
              differs && `${t('invoice.amount')} ${invoiced}`,
            ]}
          />
        </p>
      )}
      {!isOver && <ToInvoice invoice={invoice} />}
    </li>
  )
}
