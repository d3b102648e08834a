import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../text.ts'
import { reloadMoney, takeBack, takeBackQuery, type SuspendedCase } from './bank-calls.ts'
import css from './bank.module.css'
import { SeenPostings } from '../shell/postings/seen-postings.tsx'

/** What the bank has taken back and could not be booked: first what goes back to the same payer is said to be not sent, then it is undone. */
export function TakeBack({ one, onDone }: { one: SuspendedCase; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  if (one.goesBack !== null)
    return (
      <>
        <p>{t('bank.take_back.goes')}</p>
        <div className={css.acts}>
          <OfficeLink href={hashOf({ view: 'refunds', id: one.goesBack })}>
            {t('bank.take_back.open')}
          </OfficeLink>
        </div>
      </>
    )
  if (!one.isTakeable) return null
  return (
    <div className={css.acts}>
      <OfficeButton look="primary" onClick={() => setOpen(true)}>
        {t('bank.take_back')}
      </OfficeButton>
      {isOpen && <Say one={one} onClose={() => setOpen(false)} onDone={onDone} />}
    </div>
  )
}

function Say({ one, onClose, onDone }: { one: SuspendedCase; onClose: () => void; onDone: () => void }) {
  const preview = useQuery(takeBackQuery(one.id))
  return (
    <ActDialog
      form={{
        title: t('bank.take_back'),
        consequence: t('bank.take_back.text'),
        more: <SeenPostings preview={preview} currency={one.currency} />,
        fields: [],
        commit: t('bank.take_back'),
        done: t('bank.entered'),
      }}
      onCommit={(_, key) => takeBack(one.id, key)}
      onClose={onClose}
      onDone={() => {
        onClose()
        reloadMoney()
        onDone()
      }}
    />
  )
}
