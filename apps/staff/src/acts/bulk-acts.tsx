import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { BulkBar } from '@kvitt/office/list/bulk-bar.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queries } from '../calls.ts'
import { formOf, mostDaysOf, type ActedDebt } from '../debts/debt-acts.ts'
import { useMe } from '../shell/me.ts'
import { t, type MessageId } from '../text.ts'
import {
  BULK_RIGHTS,
  doMany,
  sumQuery,
  type Bulk,
  type BulkAct,
  type BulkResource,
  type Chosen,
} from './bulk-calls.ts'
import { BulkOutcome } from './bulk-outcome.tsx'
import { followMany } from './many-later.ts'

type BulkActsProps = {
  resource: BulkResource
  /** What makes sense with what is selected; what a role may not do is not shown. */
  acts: readonly BulkAct[]
  /** The rows of the page that are selected. */
  ids: readonly string[]
  /** How many the search finds, and how it is asked for. */
  total: number
  search: Readonly<Record<string, unknown>>
  /** The provider's day. */
  today: string
  onLeave: () => void
}

/** What is selected of a list, what it comes to, and what can be done with all of it. */
export function BulkActs({ resource, acts, ids, total, search, today, onLeave }: BulkActsProps) {
  const { rights, membership } = useMe()
  const [isAll, setAll] = useState(false)
  const [act, setAct] = useState<BulkAct>()
  const [outcome, setOutcome] = useState<Bulk>()
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const chosen: Chosen = isAll ? { search } : { ids }
  const sum = useQuery(sumQuery(resource, chosen, ids.length > 0)).data
  const count = isAll ? (sum?.count ?? total) : ids.length
  const what = t(resource === 'invoices' ? 'bulk.invoices' : 'bulk.claims', { n: count })
  const figures = (sum?.currencies ?? []).map(({ currency, sum: amount }) => (
    <Figure key={currency} minor={minorOf(amount)} currency={currency} />
  ))
  const onRefused = (bulk: Bulk): boolean => {
    if (isHere.current) setOutcome(bulk)
    return isHere.current
  }
  const outcomeOf = (bulk: Bulk, onClose: () => void) => (
    <BulkOutcome resource={resource} first={bulk} onClose={onClose} />
  )
  const open = acts.filter((one) => rights.includes(BULK_RIGHTS[one]))
  return (
    <>
      {ids.length > 0 && (
        <BulkBar
          count={count}
          sum={figures}
          found={!isAll && total > ids.length ? { count: total, onSelect: () => setAll(true) } : undefined}
          onLeave={onLeave}
        >
          {open.map((one) => (
            <OfficeButton key={one} look="quiet" onClick={() => sum && setAct(one)}>
              {t(`act.${one}.title` as MessageId)}…
            </OfficeButton>
          ))}
        </BulkBar>
      )}
      {act && sum && (
        <ActDialog
          form={formFor(act, { what, today, mostDays: mostDaysOf(membership.role), figures })}
          onCommit={async (values, key) => {
            const expected = { count: sum.count, sum: sum.sum }
            const bulk = await doMany({ resource, act, chosen }, expected, { values, key })
            // A process of the release before does it at once, and says nothing of when.
            if (!bulk.dueAt) return setOutcome(bulk)
            const name = t('bulk.commit', { act: t(`act.${act}.title` as MessageId), what })
            followMany({ name, sum: sumText(sum), sumOf: sumText, onRefused, outcomeOf }, bulk)
          }}
          onClose={() => setAct(undefined)}
          onDone={() => {
            setAct(undefined)
            setAll(false)
            onLeave()
            void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
          }}
        />
      )}
      {outcome && outcomeOf(outcome, () => setOutcome(undefined))}
    </>
  )
}

/** "SEK 2,526.00", and what there is in other currencies after it. */
const sumText = ({ currencies = [] }: Partial<Pick<Bulk, 'currencies'>>): string =>
  currencies.map(({ currency, sum }) => formatMoney(minorOf(sum), currency, currentLanguage())).join(' + ')

type Meant = {
  readonly what: string
  readonly today: string
  readonly mostDays: number
  readonly figures: ActForm['more']
}

/** As the dialog of one, but without what is of one alone: an amount, a row. */
function formFor(act: BulkAct, { what, today, mostDays, figures }: Meant): ActForm {
  const debt: ActedDebt = {
    number: '',
    name: '',
    today,
    expireDate: addDays(today as CalendarDate, -1),
    currency: '',
    balances: { total: 0, costs: 1, interest: 1 },
    creditable: 0,
    mostDays,
  }
  const { title, fields, isFinal } = formOf(act, debt)
  return {
    title: t('bulk.commit', { act: title, what }),
    consequence: t(`bulk.${act}.text` as MessageId),
    more: (
      <p>
        <strong>{what}</strong> · {figures}
      </p>
    ),
    fields: fields.filter(({ name }) => name !== 'amount' && name !== 'row'),
    commit: t('bulk.commit', { act: title, what }),
    isFinal: isFinal ?? false,
    done: '',
    isSilent: true,
  }
}
