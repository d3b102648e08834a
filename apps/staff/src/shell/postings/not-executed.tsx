import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../text.ts'
import { remedyFor } from '../fresh-sign-in.tsx'
import { notExecutedQuery, proposeNotExecuted, reloadAll } from './not-executed-calls.ts'
import { SeenPostings } from './seen-postings.tsx'

type Props = { readonly file: string; readonly rows: readonly string[]; readonly currency: string }

/** Says that the bank has not executed rows of a file: what it would book, and another person agrees. */
export function NotExecuted(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <OfficeButton onClick={() => setOpen(true)}>{t('payout.not_executed')}</OfficeButton>
      {isOpen && <Say {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function Say({ file, rows, currency, onClose }: Props & { onClose: () => void }) {
  const preview = useQuery(notExecutedQuery(file, rows))
  return (
    <ActDialog
      form={{
        title: t('payout.not_executed'),
        consequence: t('payout.not_executed.text'),
        more: <SeenPostings preview={preview} currency={currency} />,
        fields: [],
        commit: t('proposal.propose'),
        done: t('proposal.proposed'),
      }}
      onCommit={async () => {
        const { id } = await proposeNotExecuted(file, rows)
        goTo(hashOf({ view: 'proposals', id }))
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
