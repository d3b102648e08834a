import type { WrittenSetting } from '@kvitt/domain/part-payments/setting-version.ts'
import { PROPOSAL_KINDS } from '@kvitt/domain/proposals/proposal.ts'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../calls.ts'
import { Facts } from '../shell/facts.tsx'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useMe, useRight } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { SettingPreview } from '../shell/offers/setting-preview.tsx'
import { t } from '../text.ts'
import { decideProposal, proposalQuery, receiversQuery, type Proposal } from './proposal-calls.ts'
import css from './proposal-page.module.css'
import { ProposedRows } from './proposed-rows.tsx'
import { TONES } from './proposal-tones.ts'

const LONGEST_REASON = 1000

/** What it is and what it is to be, who proposed it, and the decision of somebody else. */
export default function ProposalPage({ id }: { id: string }) {
  const found = useQuery(proposalQuery(id))
  const proposal = found.data
  const title = proposal ? t(`proposal.kind.${proposal.kind}`) : t('view.proposals')
  usePageName(title)
  useKeys({ Escape: () => goTo(hashOf({ view: 'proposals' })) })
  const crumb = { href: hashOf({ view: 'proposals' }), text: t('view.proposals') }
  if (!proposal)
    return (
      <>
        <Bar title={title} crumb={crumb} />
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting />
        )}
      </>
    )
  const { status, creditor, proposedBy, proposedAt, decidedBy, decidedAt, reason } = proposal
  const when = (name: string, at: string): string => `${name}, ${formatDay(at.slice(0, 10))}`
  return (
    <>
      <Bar
        title={title}
        crumb={crumb}
        chip={<Chip tone={TONES[status]}>{t(`proposal.status.${status}`)}</Chip>}
        actions={status === 'OPEN' && <Decide proposal={proposal} />}
      />
      <section className={css.part}>
        <Facts
          rows={[
            { id: 'creditor', name: t('column.creditor'), value: creditor?.name },
            { id: 'by', name: t('proposal.by'), value: when(proposedBy.name, proposedAt) },
            {
              id: 'decided',
              name: t('proposal.decided_by'),
              value: decidedBy && decidedAt && when(decidedBy.name, decidedAt),
            },
            { id: 'reason', name: t('proposal.reason'), value: reason },
          ]}
        />
      </section>
      <PaidBack proposal={proposal} />
      <ProposedRows proposal={proposal} />
      {proposal.kind === 'plan_setting' && status === 'OPEN' && <ProposedOffers proposal={proposal} />}
    </>
  )
}

/** What debtors would be offered by it, and what the law makes of it: as whoever proposed it saw it. */
function ProposedOffers({ proposal: { creditor, after } }: { proposal: Proposal }) {
  const version = after as WrittenSetting
  return (
    <section className={css.part} aria-labelledby="would-be">
      <h2 id="would-be">{t('setting.would.title')}</h2>
      <SettingPreview creditorId={creditor?.id ?? null} currency={version.currency} version={version} />
    </section>
  )
}

/** Whose claim what came back ends, read as long as it is decided: the proposal keeps no name. */
function PaidBack({ proposal: { id, status, after } }: { proposal: Proposal }) {
  const may = useRight('decide_proposals')
  const { payoutId, payoutFile } = after
  const isOf = typeof payoutId === 'string' && typeof payoutFile === 'string'
  const receivers = useQuery({ ...receiversQuery(id), enabled: isOf && may && status === 'OPEN' })
  if (!isOf) return null
  const name = receivers.data?.rows[0]?.name
  return (
    <p>
      {name === undefined || name === null ? '' : `${t('proposal.name.receiverName')}: ${name}. `}
      <OfficeLink href={hashOf({ view: 'payouts', id: payoutFile })}>{t('todo.open_payout')}</OfficeLink>
    </p>
  )
}

/** Whoever proposed it may only take it back. */
function Decide({ proposal }: { proposal: Proposal }) {
  const { person, membership, rights } = useMe()
  const [open, setOpen] = useState<'approve' | 'refuse'>()
  const isOwn = proposal.proposedBy.email === person.email
  const roles: readonly string[] = PROPOSAL_KINDS[proposal.kind].deciders
  const may = rights.includes('decide_proposals') && roles.includes(membership.role)
  if (!may && !isOwn) return null
  return (
    <>
      {may && !isOwn && (
        <OfficeButton look="primary" onClick={() => setOpen('approve')}>
          {t('proposal.approve')}
        </OfficeButton>
      )}
      {rights.includes('decide_proposals') && (
        <OfficeButton onClick={() => setOpen('refuse')}>
          {t(isOwn ? 'proposal.take_back' : 'proposal.refuse')}
        </OfficeButton>
      )}
      {open && (
        <ActDialog
          form={formOf(proposal, open, isOwn)}
          remedyFor={remedyFor}
          onCommit={({ reason = '' }, key) =>
            decideProposal(proposal, { isApproved: open === 'approve', reason: reason.trim(), key })
          }
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined)
            void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
          }}
        />
      )}
    </>
  )
}

function formOf({ kind, isOfCreditor }: Proposal, act: 'approve' | 'refuse', isOwn: boolean): ActForm {
  const asksHow = act === 'approve' && isOfCreditor && PROPOSAL_KINDS[kind].asksHow
  const check = (value: string): string | undefined =>
    value.trim().length > LONGEST_REASON ? t('field.tooLongValidError', { max: LONGEST_REASON }) : undefined
  const reason = {
    name: 'reason',
    type: 'text',
    look: 'area',
    label: t(asksHow ? 'proposal.how' : 'proposal.reason'),
    mandatory: true,
    check,
  } as const
  if (act === 'approve')
    return {
      title: t('proposal.approve'),
      consequence: t(`proposal.does.${kind}`),
      fields: asksHow ? [{ ...reason, hint: t('proposal.how.hint') }] : [],
      commit: t('proposal.approve'),
      done: t('proposal.approved'),
    }
  return {
    title: t(isOwn ? 'proposal.take_back' : 'proposal.refuse'),
    consequence: t('proposal.refuse.text'),
    fields: [reason],
    commit: t(isOwn ? 'proposal.take_back' : 'proposal.refuse'),
    done: t(isOwn ? 'proposal.taken_back' : 'proposal.refused'),
  }
}
