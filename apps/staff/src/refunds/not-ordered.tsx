import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { report } from '@kvitt/office/messages/messages.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SeenPostings } from '../shell/postings/seen-postings.tsx'
import { NotExecuted } from '../shell/postings/not-executed.tsx'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { t } from '../text.ts'
import css from './refunds.module.css'
import { notOrderedQuery, refundNotOrdered, reloadAll, type RefundCase } from './refund-calls.ts'

/** What was said to be on its way through the bank was never sent: by hand, or as a row of a file. */
export function NotSent({ one }: { one: RefundCase }) {
  const [isOpen, setOpen] = useState(false)
  const [newest] = one.files
  if (newest && one.waits === 'IN_FILE' && (newest.status === 'SENT' || newest.status === 'ACCEPTED'))
    return (
      <div className={css.acts}>
        <NotExecuted file={newest.file} rows={[newest.row]} currency={one.currency} />
      </div>
    )
  if (!one.isByHand) return null
  return (
    <div className={css.acts}>
      <OfficeButton onClick={() => setOpen(true)}>{t('refund.not_ordered')}</OfficeButton>
      {isOpen && <Say one={one} onClose={() => setOpen(false)} />}
    </div>
  )
}

function Say({ one, onClose }: { one: RefundCase; onClose: () => void }) {
  const preview = useQuery(notOrderedQuery(one.id))
  const isProposed = one.notOrderedNeedsAnother
  return (
    <ActDialog
      form={{
        title: t('refund.not_ordered'),
        consequence: [t('refund.not_ordered.text'), isProposed ? t('refund.another') : ''].join(' ').trim(),
        more: <SeenPostings preview={preview} currency={one.currency} />,
        fields: [],
        commit: isProposed ? t('proposal.propose') : t('refund.not_ordered'),
        done: t('refund.done'),
        isSilent: true,
      }}
      onCommit={async (_, key) => {
        const { proposal } = await refundNotOrdered(one.id, key)
        report('ok', t(proposal === null ? 'refund.done' : 'proposal.proposed'))
      }}
      remedyFor={remedyFor}
      onClose={onClose}
      onDone={() => {
        onClose()
        reloadAll()
      }}
    />
  )
}
