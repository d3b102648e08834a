/** What ends a task that has no case of its own: its form, or where it is worked on. */
import { report } from '@kvitt/office/messages/messages.ts'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { compareAudit } from '../audit/audit-calls.ts'
import { accountsQuery } from '../bank/bank-calls.ts'
import { HolderForm } from '../bank/holder-form.tsx'
import { claimCourtQuery, claimQuery } from '../claims/claim-calls.ts'
import { CourtDeeds, CourtTerms } from '../claims/claim-court.tsx'
import { AskGateway } from '../payments/ask-gateway.tsx'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { accountNumber, schemeName } from '../shell/account-number.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import type { Task } from './task-calls.ts'
import css from './task-keeping.module.css'

type FormProps = { task: Task; onDone: () => void }

/** File it and record that, or give it back to the creditor with the reason. */
function CourtFiling({ task: { subject }, onDone }: FormProps) {
  const may = useRight('record_court')
  const claim = useQuery(claimQuery(subject.id)).data
  const court = useQuery(claimCourtQuery(subject.id)).data
  if (!may || !claim || !court) return null
  const { id, collectionBatchNumber: number, currency, dates } = claim
  return (
    <>
      <CourtTerms court={court} currency={currency} />
      <CourtDeeds court={court} claim={{ id, number, currency, today: dates.today }} onDone={onDone} />
    </>
  )
}

/** The gateway is asked now; what it says may end the task. */
function AskAgain({ task: { subject }, onDone }: FormProps) {
  return <AskGateway id={subject.id} onAnswer={({ isLate }) => !isLate && onDone()} />
}

/** Who has the account at the bank. */
function TellHolder({ task: { subject }, onDone }: FormProps) {
  const may = useRight('bank_files')
  const [isOpen, setOpen] = useState(false)
  const found = useQuery(accountsQuery).data?.accounts.find(({ id }) => id === subject.id)
  if (!found) return null
  const { scheme, number, creditor, receiverName } = found
  return (
    <>
      <Facts
        rows={[
          {
            id: 'account',
            name: t('task.detail.account'),
            value: `${schemeName(scheme)} ${accountNumber(scheme, number)}`,
          },
          { id: 'creditor', name: t('column.creditor'), value: creditor?.name },
          { id: 'receiver', name: t('proposal.name.receiverName'), value: receiverName },
        ]}
      />
      {may && (
        <div>
          <OfficeButton look="primary" onClick={() => setOpen(true)}>
            {t('bank.holder')}
          </OfficeButton>
        </div>
      )}
      {isOpen && <HolderForm account={found} onClose={() => setOpen(false)} onDone={onDone} />}
    </>
  )
}

/** The log is compared with the anchors now, once somebody has found out what happened to it. */
function CompareAudit({ onDone }: FormProps) {
  const may = useRight('run_jobs')
  const compare = useMutation({
    mutationFn: compareAudit,
    meta: { isSilent: true },
    onSuccess: ({ intact, files }) => {
      reloadAll()
      if (files === null) return report('bad', t('task.audit_cut.elsewhere'))
      report(intact ? 'ok' : 'bad', t(intact ? 'task.audit_cut.fits' : 'task.audit_cut.differs', { files }))
      if (intact) onDone()
    },
  })
  if (!may) return null
  return (
    <div>
      <OfficeButton look="primary" onClick={() => compare.mutate()} isBusy={compare.isPending}>
        {t('task.audit_cut.compare')}
      </OfficeButton>
    </div>
  )
}

/** The files of the bank, and what the gateways have told of and the bank has not. */
function Clearing() {
  const mayProve = useRight('client_funds')
  return (
    <div className={css.links}>
      <OfficeLink href={hashOf({ view: 'payment-batches' })}>{t('todo.open_batches')}</OfficeLink>
      {mayProve && <OfficeLink href={hashOf({ view: 'client-funds' })}>{t('todo.open_funds')}</OfficeLink>}
    </div>
  )
}

/** Why the operator has not filed it, where it was wanted before. */
function Returned({ task: { subject } }: FormProps) {
  const returned = useQuery(claimCourtQuery(subject.id)).data?.returned
  if (!returned) return null
  return <p>{t('court.returned', { day: formatDay(returned.on), reason: returned.reason })}</p>
}

const FORMS: Readonly<Partial<Record<string, (props: FormProps) => ReactNode>>> = {
  court_to_file: CourtFiling,
  schedule_ended: Returned,
  payment_late: AskAgain,
  account_holder_unset: TellHolder,
  audit_cut: CompareAudit,
  clearing_late: Clearing,
}

export function TaskForm(props: FormProps) {
  const Form = FORMS[props.task.kind]
  return Form ? <Form {...props} /> : null
}
