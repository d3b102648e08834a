import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../text.ts'
import { paidTwiceQuery, proposePaidTwice, reloadMoney, type SuspendedCase } from './bank-calls.ts'
import css from './bank.module.css'
import { SeenPostings } from '../shell/postings/seen-postings.tsx'

type PaidTwiceProps = {
  readonly one: SuspendedCase
  /** The file that the debit is of; left out where the debit names its row. */
  readonly file?: string
  readonly text: string
  readonly onDone: () => void
}

/** A late debit whose row had gone another way: one person says that it was paid twice, with the postings before that. */
export function PaidTwice({ one, file, text, onDone }: PaidTwiceProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <OfficeButton look={file === undefined ? 'primary' : 'secondary'} onClick={() => setOpen(true)}>
        {text}
      </OfficeButton>
      {isOpen && <Say one={one} file={file} onClose={() => setOpen(false)} onDone={onDone} />}
    </>
  )
}

function Say({
  one,
  file,
  onClose,
  onDone,
}: Omit<PaidTwiceProps, 'text' | 'file'> & {
  readonly file: string | undefined
  readonly onClose: () => void
}) {
  const preview = useQuery(paidTwiceQuery(one.id, file))
  return (
    <ActDialog
      form={{
        title: t('bank.paid_twice'),
        consequence: t('bank.paid_twice.text'),
        more: <SeenPostings preview={preview} currency={one.currency} />,
        fields: [],
        commit: t('bank.paid_twice.propose'),
        done: t('proposal.proposed'),
      }}
      onCommit={(_, key) => proposePaidTwice(one.id, key, file)}
      onClose={onClose}
      onDone={() => {
        onClose()
        reloadMoney()
        onDone()
      }}
    />
  )
}

/** The debit names a row that was said to be not executed and whose money has gone another way: nothing is to be said while that is under way. */
export function NamedTwice({ one, onDone }: Pick<PaidTwiceProps, 'one' | 'onDone'>) {
  if (one.isUnderWay) return <p>{t('bank.paid_twice.wait')}</p>
  return (
    <>
      <p>{t('bank.paid_twice.named')}</p>
      <div className={css.acts}>
        <PaidTwice one={one} text={t('bank.paid_twice')} onDone={onDone} />
      </div>
    </>
  )
}
