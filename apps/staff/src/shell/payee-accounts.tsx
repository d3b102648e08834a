import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { queries } from '../calls.ts'
import { t } from '../text.ts'
import { accountNumber, schemeName } from './account-number.ts'
import { Facts, type FactRow } from './facts.tsx'
import { remedyFor } from './fresh-sign-in.tsx'
import { useRight } from './me.ts'
import css from './payee-accounts.module.css'
import { payeesQuery, proposePayee, stopPayee, type PayeeAccount, type PayeeAccounts } from './payee-calls.ts'
import { payeeForm, stopForm } from './payee-forms.ts'

type Written = PayeeAccounts['shown'][number]

function accountRows({ currency, scheme, number, bic, receiverName }: Written): FactRow[] {
  return [
    {
      id: 'number',
      name: schemeName(scheme),
      value: <span className={css.number}>{accountNumber(scheme, number)}</span>,
    },
    { id: 'currency', name: t('client.currency'), value: currency },
    { id: 'bic', name: t('proposal.name.bic'), value: bic },
    { id: 'receiver', name: t('proposal.name.receiverName'), value: receiverName },
  ]
}

/** What debtors pay to, what waits and from when, and what was: of a creditor, or without one of the provider itself. */
export function PayeeAccountsOf({ creditor }: { creditor?: string }) {
  const found = useQuery(payeesQuery(creditor))
  const may = useRight('creditors')
  const { accounts = [], proposed = [] } = found.data ?? {}
  const current = accounts.filter(({ state }) => state === 'CURRENT')
  // What was not agreed for a creditor stands on each of its invoices.
  const shown = creditor === undefined ? (found.data?.shown ?? []) : current
  const waiting = accounts.filter(({ state }) => state === 'WAITING')
  const earlier = accounts.filter(({ state }) => state === 'REPLACED' || state === 'STOPPED')
  return (
    <section className={css.all}>
      <h3>{t('payee.title')}</h3>
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={2} />}
      {found.data && shown.length === 0 && <p className={css.quiet}>{t('payee.none')}</p>}
      {waiting.map((account) => (
        <Waiting key={account.id} account={account} may={may} />
      ))}
      {proposed.map((account) => (
        <Entry key={account.id} head={t('payee.proposed')} isNews>
          <Facts
            rows={[
              ...accountRows(account),
              {
                id: 'by',
                name: t('payee.proposed_by'),
                value: (
                  <a href={hashOf({ view: 'proposals', id: account.id })}>
                    {`${account.proposedBy}, ${momentText(account.proposedAt)}`}
                  </a>
                ),
              },
            ]}
          />
        </Entry>
      ))}
      {shown.map((account) => (
        <Shown
          key={account.currency}
          account={account}
          agreed={current.find(
            ({ currency, number }) => currency === account.currency && number === account.number,
          )}
        />
      ))}
      {may && found.data && (
        <Act
          label={t('payee.change')}
          formFor={() => payeeForm(creditor === undefined)}
          onCommit={(values) => proposePayee(creditor, values)}
        />
      )}
      {earlier.length > 0 && <Earlier accounts={earlier} />}
    </section>
  )
}

function Shown({ account, agreed }: { account: Written; agreed: PayeeAccount | undefined }) {
  const head = agreed
    ? t('payee.since', { when: momentText(agreed.usableFrom) })
    : `${t('payee.shown')}, ${account.currency}`
  return (
    <Entry head={head}>
      <Facts rows={[...accountRows(account), ...(agreed ? deciders(agreed) : [])]} />
    </Entry>
  )
}

function deciders({ holder, proposedBy, agreedBy, agreedAt }: PayeeAccount): FactRow[] {
  return [
    { id: 'holder', name: t('proposal.name.holder'), value: t(`payee.holder.${holder}`) },
    { id: 'proposed', name: t('payee.proposed_by'), value: proposedBy },
    { id: 'agreed', name: t('payee.agreed_by'), value: `${agreedBy}, ${momentText(agreedAt)}` },
  ]
}

function Waiting({ account, may }: { account: PayeeAccount; may: boolean }) {
  return (
    <Entry head={t('payee.waits', { when: momentText(account.usableFrom) })} isNews>
      <Facts rows={[...accountRows(account), ...deciders(account)]} />
      {may && (
        <Act
          label={t('payee.stop')}
          formFor={stopForm}
          onCommit={({ reason = '' }, key) => stopPayee(account.id, reason, key)}
        />
      )}
    </Entry>
  )
}

function Earlier({ accounts }: { accounts: readonly PayeeAccount[] }) {
  const what = ({ state, stoppedBy, stopReason }: PayeeAccount): string => {
    if (state === 'REPLACED') return t('payee.replaced')
    return stoppedBy === null
      ? t('payee.stopped_itself')
      : t('payee.stopped', { name: stoppedBy, reason: stopReason ?? '' })
  }
  return (
    <details className={css.earlier}>
      <summary>{t('payee.earlier')}</summary>
      {accounts.map((account) => (
        <Entry key={account.id} head={what(account)}>
          <Facts rows={[...accountRows(account), ...deciders(account)]} />
        </Entry>
      ))}
    </details>
  )
}

function Entry({ head, isNews = false, children }: { head: string; isNews?: boolean; children: ReactNode }) {
  return (
    <div className={isNews ? css.news : css.entry}>
      <h4 className={css.head}>{head}</h4>
      {children}
    </div>
  )
}

type ActProps = {
  label: string
  formFor: () => ActForm
  onCommit: (values: Readonly<Record<string, string>>, key: string) => Promise<unknown>
}

function Act({ label, formFor, onCommit }: ActProps) {
  const [form, setForm] = useState<ActForm>()
  const close = () => setForm(undefined)
  return (
    <div className={css.act}>
      <OfficeButton onClick={() => setForm(formFor())}>{label}</OfficeButton>
      {form && (
        <ActDialog
          form={form}
          onCommit={onCommit}
          remedyFor={remedyFor}
          onClose={close}
          onDone={() => {
            close()
            for (const key of ['payee-accounts', 'tasks', 'proposals'])
              void queries.invalidateQueries({ queryKey: [key] })
          }}
        />
      )}
    </div>
  )
}
