import { CURRENCIES, type Currency } from '@kvitt/domain/money.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { Panel } from '@kvitt/office/frame/panel.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountNumber, schemeName } from '../shell/account-number.ts'
import { t } from '../text.ts'
import { gatheredQuery, proposeRefundFile, reloadAll, type Gathered } from './refund-calls.ts'
import css from './refunds.module.css'

/** What goes back by transfer, put in one file: what is in it, to which accounts, and what is not as nobody knows the account. */
export function GatherPanel({ onClose }: { onClose: () => void }) {
  const [currency, setCurrency] = useState<Currency>('SEK')
  const found = useQuery(gatheredQuery(currency))
  const rows = found.data?.rows ?? []
  const [again, setAgain] = useState<ReadonlySet<string>>(new Set())
  const [key] = useState(() => crypto.randomUUID())
  const left = rows.filter(({ account }) => account === null)
  const known = rows.filter(({ account }) => account !== null)
  // What a bank has refused or sent back goes once more when a person says so.
  const failed = known.filter(({ hasFailed }) => hasFailed)
  const ready = known.filter(({ id, hasFailed }) => !hasFailed || again.has(id))
  const total = ready.reduce((sum, { amount }) => sum + minorOf(amount), 0)
  const proposing = useMutation({
    mutationFn: () =>
      proposeRefundFile(
        currency,
        ready.map(({ id }) => id),
        key,
      ),
    meta: { done: t('proposal.proposed') },
    onSuccess: ({ id }) => {
      reloadAll()
      goTo(hashOf({ view: 'proposals', id }))
    },
  })
  return (
    <Panel kind={t('view.refunds')} title={t('refund.file')} onClose={onClose}>
      <p className={css.text}>{t('refund.file.text')}</p>
      <label className={css.field}>
        <span>{t('proposal.name.currency')}</span>
        <select value={currency} onChange={({ target }) => setCurrency(target.value as Currency)}>
          {CURRENCIES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={3} />}
      {found.data && (
        <>
          <Rows title={t('refund.file.in', { n: ready.length })} rows={ready} currency={currency} />
          {ready.length > 0 && (
            <p className={css.sum}>
              <span>{t('payout.sum')}</span>
              <Figure minor={total} currency={currency} />
            </p>
          )}
          <Failed rows={failed} chosen={again} currency={currency} onChoose={setAgain} />
          {ready.length === 0 && <p className={css.text}>{t('refund.file.none')}</p>}
          {left.length > 0 && (
            <>
              <Rows title={t('refund.file.left', { n: left.length })} rows={left} currency={currency} />
              <p className={css.text}>{t('refund.file.left.text')}</p>
            </>
          )}
        </>
      )}
      {proposing.isError && (
        <MessageBox tone="bad" role="alert">
          {failureText(proposing.error)}
        </MessageBox>
      )}
      <div className={css.acts}>
        {ready.length > 0 && (
          <OfficeButton look="primary" isBusy={proposing.isPending} onClick={() => proposing.mutate()}>
            {t('proposal.propose')}
          </OfficeButton>
        )}
        <OfficeLink href={hashOf({ view: 'payouts' })}>{t('view.payouts')}</OfficeLink>
      </div>
    </Panel>
  )
}

type FailedProps = {
  rows: readonly Gathered[]
  chosen: ReadonlySet<string>
  currency: string
  onChoose: (chosen: ReadonlySet<string>) => void
}

/** What goes once more only when a person says so, each by itself. */
function Failed({ rows, chosen, currency, onChoose }: FailedProps) {
  if (rows.length === 0) return null
  const choose = (id: string, isChosen: boolean): void =>
    onChoose(new Set(isChosen ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
  return (
    <fieldset className={css.again}>
      <legend>{t('refund.file.again')}</legend>
      {rows.map(({ id, name, amount }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.has(id)}
            onChange={({ target }) => choose(id, target.checked)}
          />{' '}
          {name ?? t('bank.payer_unnamed')} <Figure minor={minorOf(amount)} currency={currency} />
        </label>
      ))}
    </fieldset>
  )
}

function Rows({ title, rows, currency }: { title: string; rows: readonly Gathered[]; currency: string }) {
  return (
    <section className={css.tries}>
      <h3>{title}</h3>
      <ul className={css.rows}>
        {rows.map(({ id, name, number, amount, account, kind }) => (
          <li key={id}>
            <span>
              <a href={hashOf({ view: 'refunds', id })}>{name ?? t('bank.payer_unnamed')}</a>
              <span className={css.note}>
                {[
                  number ?? t(`refund.kind.${kind}`),
                  account
                    ? `${schemeName(account.scheme)} ${accountNumber(account.scheme, account.number)}`
                    : t('refund.account.unknown'),
                ].join(', ')}
              </span>
            </span>
            <Figure minor={minorOf(amount)} currency={currency} />
          </li>
        ))}
      </ul>
    </section>
  )
}
