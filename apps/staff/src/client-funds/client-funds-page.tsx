import type { FundsDocument } from '@kvitt/domain/client-funds/proof-item.ts'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { clientFundsQuery, fetchDocument, type ClientFunds } from './client-funds-calls.ts'
import css from './client-funds.module.css'
import { CurrencyProof } from './currency-proof.tsx'

/** What stands at the bank against what is owed, at the end of a day: of the last one that a statement tells of, or of another. */
export default function ClientFundsPage() {
  usePageName(t('view.client-funds'))
  const { query } = usePlace()
  const found = useQuery(clientFundsQuery(query['day'] ?? ''))
  const { data } = found
  return (
    <>
      <Bar
        title={t('view.client-funds')}
        facts={data && formatDay(data.day, 'weekday')}
        actions={<Acts day={data?.day ?? query['day'] ?? ''} />}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={8} />}
      {data && <Day funds={data} />}
    </>
  )
}

/** Another day, and the papers of this one. */
function Acts({ day }: { day: string }) {
  const [typed, setTyped] = useState<string>()
  const save = useMutation({
    mutationFn: (document: FundsDocument) => fetchDocument(day, document),
    meta: { done: t('funds.saved') },
    onSuccess: (file, document) => saveFile(file, `${t('view.client-funds')} ${day} ${document}.pdf`),
  })
  return (
    <>
      <input
        className={css.day}
        type="date"
        aria-label={t('funds.day')}
        value={typed ?? day}
        onChange={({ target: { value } }) => {
          setTyped(value)
          // A year that is being typed begins with noughts.
          if (value >= '2000') goTo(hashOf({ view: 'client-funds' }, { day: value }), { replace: true })
        }}
        onBlur={() => setTyped(undefined)}
      />
      <OfficeButton
        isBusy={save.isPending && save.variables === 'confirmation'}
        onClick={() => save.mutate('confirmation')}
      >
        {t('funds.confirmation')}
      </OfficeButton>
      <OfficeButton
        isBusy={save.isPending && save.variables === 'proof'}
        onClick={() => save.mutate('proof')}
      >
        {t('funds.pdf')}
      </OfficeButton>
    </>
  )
}

function Day({ funds }: { funds: ClientFunds }) {
  const { day, proofs } = funds
  if (proofs.length === 0) return <NothingLeft title={t('funds.nothing')} />
  return (
    <>
      {proofs.map((proof) => (
        <CurrencyProof key={proof.currency} day={day} proof={proof} />
      ))}
      <BelowZero funds={funds} />
    </>
  )
}

/** Creditors whose own money does not cover what was taken from it. */
function BelowZero({ funds: { belowZero } }: { funds: ClientFunds }) {
  return (
    <section className={css.part}>
      <h2 id="below-zero">{t('funds.below_zero')}</h2>
      {belowZero.length === 0 ? (
        <p>{t('funds.below_zero.none')}</p>
      ) : (
        <>
          <p className={css.sentence}>{t('funds.below_zero.text')}</p>
          <ul className={css.list} aria-labelledby="below-zero">
            {belowZero.map(({ creditor, currency, amount }) => (
              <li key={`${creditor.id} ${currency}`}>
                <a href={hashOf({ view: 'settlements' }, { q: creditor.name })}>{creditor.name}</a>
                <Figure minor={minorOf(amount)} currency={currency} />
              </li>
            ))}
          </ul>
          <OfficeLink href={hashOf({ view: 'suspense' })}>{t('view.suspense')}</OfficeLink>
        </>
      )}
    </section>
  )
}
