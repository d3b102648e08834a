import { hashOf } from '@kvitt/office/place.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { ActList } from '../debts/act-list.tsx'
import { mostDaysOf, type DebtAct } from '../debts/debt-acts.ts'
import { useMe } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { ComingSteps } from './coming-steps.tsx'
import type { Invoice } from './invoice-calls.ts'
import { actsQuery, outlookQuery, rowsQuery } from './invoice-detail-calls.ts'

/** What a role may not do is not shown, nor what makes no sense where the invoice stands. */
const UNTOLD: readonly string[] = ['not_allowed', 'act_not_open', 'already_sent']

/** What whoever is here can do with the invoice, as the server offers it. */
export function InvoiceActs({ invoice }: { invoice: Invoice }) {
  const { membership } = useMe()
  const { id, invoiceNumber, debtor, dates, balances } = invoice
  const currency = invoice.currency.invoiceCurrency
  const acts = useQuery(actsQuery(id)).data ?? []
  const outlook = useQuery(outlookQuery(id)).data
  const rows = useQuery(rowsQuery(id)).data ?? []
  const creditable = acts.find(({ act }) => act === 'credit')?.cost.creditor ?? 0
  const moreOf = (act: DebtAct) =>
    act === 'to-collection' &&
    outlook?.toCollection && <ComingSteps steps={outlook.toCollection} currency={currency} />
  return (
    <ActList
      acts={acts
        .filter(({ reason }) => reason === null || !UNTOLD.includes(reason))
        .map(({ act, isOpen, message, cost }) => ({ act, isOpen, message, cost: cost.creditor }))}
      debt={{
        number: invoiceNumber,
        name: debtor.name,
        today: dates.today,
        expireDate: dates.expireDate,
        currency,
        balances,
        creditable,
        asked: invoice.totals.totalToPay,
        isForCreditor: isAdmin,
        rows,
        mostDays: mostDaysOf(membership.role),
      }}
      path={`/client/invoices/${encodeURIComponent(id)}`}
      moreOf={moreOf}
      onWithdrawn={() => goTo(hashOf({ view: 'invoices' }, { tab: 'drafts' }))}
    />
  )
}
