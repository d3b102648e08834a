import type { DataWish, RequestWay } from '@kvitt/domain/data-protection/data-request.ts'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import css from './data-protection.module.css'
import { RequestActs } from './request-acts.tsx'
import { enterRequest, requestsOfQuery } from './request-calls.ts'
import { RequestFacts } from './request-facts.tsx'
import { enterForm } from './request-forms.ts'

type DataRequestsProps = { debtorId: string; name: string; today: string }

/** What a person has asked about their data, on their own page: whoever has them on the telephone takes it down here. */
export function DataRequests({ debtorId, name, today }: DataRequestsProps) {
  const [isEntering, setEntering] = useState(false)
  const may = useRight('data_requests')
  const found = useQuery(requestsOfQuery(debtorId))
  return (
    <section className={css.requests} aria-labelledby="data-requests">
      <div className={css.requestsHead}>
        <div>
          <h2 id="data-requests">{t('data_request.title')}</h2>
          <p>{t('data_request.text')}</p>
        </div>
        {may && <OfficeButton onClick={() => setEntering(true)}>{t('data_request.enter')}</OfficeButton>}
      </div>
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.length === 0 && <p>{t('data_request.none')}</p>}
      {found.data && found.data.length > 0 && (
        <ul className={css.requestList}>
          {found.data.map((request) => (
            <li key={request.id}>
              <h3>
                {t(`data_request.wish.${request.wish}`)}{' '}
                {request.answer === null && <Chip tone="warn">{t('data_request.open')}</Chip>}
              </h3>
              <RequestFacts request={request} today={today} />
              <RequestActs request={request} today={today} />
            </li>
          ))}
        </ul>
      )}
      {isEntering && (
        <ActDialog
          form={enterForm(name, today)}
          remedyFor={remedyFor}
          onCommit={({ wish, cameOn = '', cameBy, words = '' }, key) =>
            enterRequest(
              debtorId,
              {
                wish: wish as DataWish,
                cameOn,
                cameBy: cameBy as RequestWay,
                ...(words.trim() === '' ? {} : { words }),
              },
              key,
            )
          }
          onClose={() => setEntering(false)}
          onDone={() => {
            setEntering(false)
            reloadAll()
          }}
        />
      )}
    </section>
  )
}
