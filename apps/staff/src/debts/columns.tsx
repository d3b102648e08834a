/** Columns that lists of invoices and claims share, wherever they stand. */
import type { Column } from '@kvitt/office/list/data-table.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { isAdmin } from '../shell/portal.ts'
import { t } from '../text.ts'

type Due<Row> = {
  readonly head: string
  readonly dayOf: (row: Row) => string
  readonly todayOf: (row: Row) => string
  readonly orderBy?: string
}

/** The last day to pay. */
export const dueColumn = <Row,>({ head, dayOf, todayOf, orderBy }: Due<Row>): Column<Row> => ({
  id: 'due',
  head,
  ...(orderBy === undefined ? {} : { orderBy }),
  inRow: 'below',
  cell: (row) => dayText(dayOf(row), todayOf(row)),
})

/** What is owed, last and strong. */
export const balanceColumn = <Row,>(
  moneyOf: (row: Row) => { readonly balance: number; readonly currency: string },
  orderBy?: string,
): Column<Row> => ({
  id: 'balance',
  head: t('invoice.balance'),
  ...(orderBy === undefined ? {} : { orderBy }),
  align: 'end',
  look: 'strong',
  inRow: 'amount',
  cell: (row) => {
    const { balance, currency } = moneyOf(row)
    return <Figure minor={minorOf(balance)} currency={currency} />
  },
})

/** Whose a row is: in the operator's portal, whose lists have the rows of all creditors. */
export const creditorColumns = <
  Row extends { readonly creditor: { readonly name: string } | null },
>(): Column<Row>[] =>
  isAdmin
    ? [
        {
          id: 'creditor',
          head: t('column.creditor'),
          look: 'quiet',
          inRow: 'below',
          cell: ({ creditor }) => creditor?.name ?? '–',
        },
      ]
    : []
