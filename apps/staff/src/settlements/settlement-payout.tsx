import { isBankgiroValid, isIbanValid, isPlusgiroValid, formatIban } from '@kvitt/domain/accounts.ts'
import type { PayoutScheme } from '@kvitt/domain/payouts/payout-account.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../calls.ts'
import { Facts } from '../shell/facts.tsx'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import type { Settlement } from './settlement-calls.ts'
import css from './settlement-page.module.css'

const accountQuery = ({ creditor, currency }: Settlement) =>
  queryOptions({
    queryKey: ['settlements', 'account', creditor.id, currency],
    queryFn: async ({ signal }) => {
      const { items } = await api.askList(
        staffCall('POST', '/client/payout-accounts/search', {}, { limit: '1' }),
        {
          signal,
          body: { filters: { 'creditor.id': creditor.id, currency } },
        },
      )
      return items[0] ?? null
    },
  })

const GIROS = { BANKGIRO: isBankgiroValid, PLUSGIRO: isPlusgiroValid } as const
/** What an account number may be, whichever kind it is: the kind follows from it, or is chosen. */
const isNumber = (scheme: PayoutScheme, text: string): boolean =>
  scheme === 'IBAN' ? isIbanValid(text) : GIROS[scheme](text.replace(/[\s-]/g, ''))

/** Where the money of a settlement goes to, and the first of the two people who let it go. */
export function SettlementPayout({ settlement }: { settlement: Settlement }) {
  const account = useQuery(accountQuery(settlement)).data
  const [isProposing, setIsProposing] = useState(false)
  const may = useRight('payouts')
  if (account === undefined) return null
  const isOpen = settlement.status === 'TO_APPROVE' || settlement.status === 'REFUSED'
  const waits = account && !account.isUsable && formatDay(account.usableFrom.slice(0, 10), 'weekday')
  return (
    <section className={css.part} aria-label={t('settlement.account')}>
      <Facts
        rows={[
          {
            id: 'account',
            name: t('settlement.account'),
            value: account
              ? `${account.receiverName}, ${account.scheme === 'IBAN' ? formatIban(account.number) : account.number}`
              : t('settlement.account.none'),
          },
          { id: 'waits', name: t('settlement.account.waits'), value: waits },
        ]}
      />
      {may && (
        <div className={css.acts}>
          {isOpen && account && <Propose id={settlement.id} />}
          <OfficeButton onClick={() => setIsProposing(true)}>
            {t(account ? 'settlement.account.change' : 'settlement.account.propose')}
          </OfficeButton>
        </div>
      )}
      {isProposing && <AccountDialog settlement={settlement} onClose={() => setIsProposing(false)} />}
    </section>
  )
}

const toProposal = ({ id }: { readonly id: string }): void => goTo(hashOf({ view: 'proposals', id }))

/** Somebody else approves it. */
function Propose({ id }: { id: string }) {
  const propose = useMutation({
    mutationFn: () => api.ask(staffCall('POST', '/admin/settlements/:id/propose', { id })),
    meta: { done: t('proposal.proposed') },
    onSuccess: (proposal) => {
      void queries.invalidateQueries({ queryKey: ['proposals'] })
      toProposal(proposal)
    },
  })
  return (
    <OfficeButton look="primary" isBusy={propose.isPending} onClick={() => propose.mutate()}>
      {t('settlement.propose')}
    </OfficeButton>
  )
}

function AccountDialog({ settlement, onClose }: { settlement: Settlement; onClose: () => void }) {
  const { creditor, currency } = settlement
  return (
    <ActDialog
      form={accountForm(settlement)}
      remedyFor={remedyFor}
      onCommit={async ({ number = '', bic = '', receiverName = '', scheme = 'IBAN' }) => {
        const account = { currency, scheme: scheme as PayoutScheme, number, bic: bic || null, receiverName }
        const body = { paymentAccounts: [{ ...account, use: 'PAYOUT' as const }] }
        toProposal(await api.ask(staffCall('PUT', '/admin/clients/:id', { id: creditor.id }), { body }))
      }}
      onClose={onClose}
      onDone={() => {
        onClose()
        void queries.invalidateQueries({ queryKey: ['proposals'] })
      }}
    />
  )
}

function accountForm({ creditor, currency }: Settlement): ActForm {
  const schemes: readonly PayoutScheme[] = currency === 'SEK' ? ['IBAN', 'BANKGIRO', 'PLUSGIRO'] : ['IBAN']
  return {
    title: t('settlement.account.propose'),
    consequence: t('settlement.account.text', { name: creditor.name, currency }),
    fields: [
      {
        name: 'scheme',
        type: 'text',
        look: 'choice',
        label: t('proposal.name.scheme'),
        mandatory: true,
        initial: 'IBAN',
        choices: schemes.map((scheme) => ({ value: scheme, text: t(`payout.scheme.${scheme}`) })),
      },
      {
        name: 'number',
        type: 'text',
        label: t('proposal.name.account'),
        mandatory: true,
        check: (value) =>
          schemes.some((scheme) => isNumber(scheme, value)) ? undefined : t('settlement.account.wrong'),
      },
      { name: 'bic', type: 'text', label: t('proposal.name.bic') },
      {
        name: 'receiverName',
        type: 'text',
        label: t('proposal.name.receiverName'),
        mandatory: true,
        initial: creditor.name,
      },
    ],
    commit: t('proposal.propose'),
    done: t('proposal.proposed'),
  }
}
