import { Panel } from '@kvitt/office/frame/panel.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Facts } from '../shell/facts.tsx'
import { t } from '../text.ts'
import { FlagActs } from './flag-acts.tsx'
import { flagQuery, type FlagDetail } from './flag-calls.ts'
import { stateText } from './flag-state.ts'
import css from './flags.module.css'

type CaseProps = {
  id: string
  today: string
  place?: string
  /** Beside the decision, such as who looks after it. */
  beside?: ReactNode
  onClose: () => void
  /** It is answered: the next one opens. */
  onDone?: () => void
}

/** What is known of a person, what was done to them since, and the answers. */
export function FlagCase({ id, today, place, beside, onClose, onDone }: CaseProps) {
  const found = useQuery(flagQuery(id))
  const one = found.data
  const along = { onClose, ...(place === undefined ? {} : { place }) }
  if (!one)
    return (
      <Panel kind={t('task.debtor_flagged')} title={t('task.debtor_flagged')} {...along}>
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting rows={4} />
        )}
      </Panel>
    )
  return (
    <Panel kind={t('task.debtor_flagged')} title={one.debtor.name} foot={beside} {...along}>
      <p>{t('task.debtor_flagged.text')}</p>
      <Facts
        rows={[
          { id: 'kind', name: t('flag.kind'), value: t(`flag.kind.${one.kind}`) },
          { id: 'from', name: t('flag.from'), value: formatDay(one.from) },
          { id: 'source', name: t('flag.source'), value: one.source },
          {
            id: 'by',
            name: t('column.creditor'),
            value: one.reportedBy && t('flag.reported_by', { name: one.reportedBy }),
          },
          { id: 'state', name: t('flag.state'), value: stateText(one) },
          { id: 'open', name: t('flag.open_debts'), value: String(one.openCount) },
        ]}
      />
      <Since one={one} />
      <FlagActs flag={one} today={today} onDone={onDone} />
      <div>
        <OfficeLink href={hashOf({ view: 'debtors', id: one.debtor.id })}>{t('flag.open_debtor')}</OfficeLink>
      </div>
    </Panel>
  )
}

const VIEWS = { invoices: 'invoices', 'collection-batches': 'claims' } as const

/** What came before anybody knew. */
function Since({ one: { since, from } }: { one: FlagDetail }) {
  if (since.length === 0) return null
  return (
    <section className={css.since}>
      <h3>{t('flag.since', { day: formatDay(from) })}</h3>
      <p>{t('flag.since_text')}</p>
      <ul>
        {since.map(({ type, id, number, creditor, charged, currency, letters }) => (
          <li key={id}>
            <a href={hashOf({ view: VIEWS[type], id })}>{number}</a>, {creditor}:{' '}
            <Figure minor={minorOf(charged)} currency={currency} />
            {letters > 0 && `, ${t('flag.letters', { count: letters })}`}
          </li>
        ))}
      </ul>
    </section>
  )
}
