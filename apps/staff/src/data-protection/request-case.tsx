import { Panel } from '@kvitt/office/frame/panel.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import css from './data-protection.module.css'
import { PersonParts } from './person-data.tsx'
import { RequestActs } from './request-acts.tsx'
import { requestQuery } from './request-calls.ts'
import { RequestFacts } from './request-facts.tsx'

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

/** What a person asks about their data, what helps to do it, and the answers. */
export function RequestCase({ id, today, place, beside, onClose, onDone }: CaseProps) {
  const found = useQuery(requestQuery(id))
  const mayExport = useRight('export_person')
  const one = found.data
  const along = { onClose, ...(place === undefined ? {} : { place }) }
  if (!one)
    return (
      <Panel kind={t('task.data_request')} title={t('task.data_request')} {...along}>
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting rows={4} />
        )}
      </Panel>
    )
  const { debtor, wish } = one
  return (
    <Panel kind={t(`data_request.wish.${wish}`)} title={debtor.name} foot={beside} {...along}>
      <p>{t('task.data_request.text')}</p>
      <p>{t(`data_request.${wish}.how`)}</p>
      <RequestFacts request={one} today={today} />
      {mayExport && (wish === 'ACCESS' || wish === 'ERASURE') && (
        <section className={css.inCase}>
          <h3>{t('person_data.title')}</h3>
          <PersonParts id={debtor.id} name={debtor.name} today={today} />
        </section>
      )}
      <RequestActs request={one} today={today} onDone={onDone} />
      <div>
        <OfficeLink href={hashOf({ view: 'debtors', id: debtor.id })}>
          {t(wish === 'RECTIFICATION' || wish === 'OBJECTION' ? 'data_request.to_debts' : 'flag.open_debtor')}
        </OfficeLink>
      </div>
    </Panel>
  )
}
