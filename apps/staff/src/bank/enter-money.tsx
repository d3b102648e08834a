import type { BankEntryKind } from '@kvitt/domain/bank-files/bank-entry.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { report } from '@kvitt/office/messages/messages.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../text.ts'
import {
  enterFile,
  entryQuery,
  enterMoney,
  reloadMoney,
  type Entry,
  type SuspendedCase,
} from './bank-calls.ts'
import css from './bank.module.css'
import { PaidTwice } from './paid-twice.tsx'
import { Postings } from '../shell/postings/postings.tsx'

type Way = { readonly id: string; readonly entry: Entry; readonly text: string; readonly note: string }

/** What the line can be: money in may be an advance for a creditor that is short, money out the operator's fees. */
function waysOf({ kind, currency, short, drawable, claims }: SuspendedCase): Way[] {
  const sum = (amount: number): string => formatMoney(minorOf(amount), currency, currentLanguage())
  const way = (entry: BankEntryKind, note: string): Way => ({
    id: entry,
    entry: { kind: entry },
    text: t(`bank.entry.${entry}`),
    note,
  })
  const isIn = kind === 'PAYMENT'
  const costs = [
    way('FEE', isIn ? byTwo(t('bank.entry.FEE.back')) : t('bank.entry.FEE.text')),
    way('INTEREST', t('bank.entry.INTEREST.text')),
  ]
  const advances = short.map(({ creditor, amount }) => ({
    id: creditor.id,
    entry: { kind: 'ADVANCE' as const, creditor: creditor.id },
    text: `${t('bank.entry.ADVANCE')}, ${creditor.name}`,
    note: byTwo(t('bank.entry.ADVANCE.text', { amount: sum(amount) })),
  }))
  const back = claims.map(({ payout, name, saidOn, amount }) => ({
    id: payout,
    entry: { kind: 'PAID_BACK' as const, payout },
    text: `${t('bank.entry.PAID_BACK')}, ${name}`,
    note: byTwo(t('bank.entry.PAID_BACK.text', { amount: sum(amount), day: formatDay(saidOn) })),
  }))
  if (isIn) return [...back, ...advances, ...costs]
  const drawn = way('FEES_DRAWN', t('bank.entry.FEES_DRAWN.text', { amount: sum(drawable ?? 0) }))
  return [...costs, ...((drawable ?? 0) > 0 ? [drawn] : [])]
}

/** As the server asks for two, whatever the sum. */
const byTwo = (text: string): string => `${text} ${t('bank.entry.proposed')}`

/** A line that is the bank's own or the operator's money: which it is, and what that books. Above the limit another decides, and where money comes in as ours. */
export function EnterMoney({ one, onDone }: { one: SuspendedCase; onDone: () => void }) {
  const [chosen, setChosen] = useState('')
  const [key] = useState(() => crypto.randomUUID())
  const ways = waysOf(one)
  const way = ways.find(({ id }) => id === chosen)
  const preview = useQuery(entryQuery(one.id, way?.entry))
  const entering = useMutation({
    mutationFn: (entry: Entry) => enterMoney(one.id, `${key} ${JSON.stringify(entry)}`.slice(0, 200), entry),
    meta: { isSilent: true },
    onSuccess: ({ proposal, status }) => {
      report('ok', t(status === 'SUSPENSE' && proposal !== null ? 'proposal.proposed' : 'bank.entered'))
      reloadMoney()
      onDone()
    },
  })
  return (
    <details className={css.entry} open={one.kind === 'OUTGOING'}>
      <summary>{t('bank.entry.not_debtors')}</summary>
      <fieldset className={css.candidates}>
        <legend className={css.note}>{t('bank.entry.what')}</legend>
        {ways.map(({ id, text, note }) => (
          <label key={id} className={css.candidate} data-chosen={id === chosen || undefined}>
            <input type="radio" name="entry" checked={id === chosen} onChange={() => setChosen(id)} />
            <span className={css.about}>
              {text}
              <span className={css.note}>{note}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {way && preview.isError && <MessageBox tone="bad">{failureText(preview.error)}</MessageBox>}
      {way && preview.data && <Postings preview={preview.data} currency={one.currency} />}
      {entering.isError && (
        <MessageBox tone="bad" role="alert">
          {failureText(entering.error)}
        </MessageBox>
      )}
      <FileDebits one={one} onDone={onDone} />
      <div className={css.acts}>
        <OfficeButton
          look={one.kind === 'OUTGOING' ? 'primary' : 'secondary'}
          isBusy={entering.isPending}
          disabled={!way || !preview.isSuccess}
          onClick={() => way && entering.mutate(way.entry)}
        >
          {t('bank.enter')}
        </OfficeButton>
      </div>
    </details>
  )
}

/** The bank has debited a whole file as one, or a row of it without its name: each file that the debit may be of. */
function FileDebits({ one, onDone }: { one: SuspendedCase; onDone: () => void }) {
  const [key] = useState(() => crypto.randomUUID())
  const entering = useMutation({
    mutationFn: (file: string) => enterFile(one.id, `${key} ${file}`, file),
    meta: { done: t('bank.entered') },
    onSuccess: () => {
      reloadMoney()
      onDone()
    },
  })
  return (
    <>
      {entering.isError && (
        <MessageBox tone="bad" role="alert">
          {failureText(entering.error)}
        </MessageBox>
      )}
      {one.files.map(({ id, executionDate, isWhole, count, twice, isUnderWay }) => {
        const text = t(isWhole ? 'bank.entry.file' : 'bank.entry.row', {
          day: formatDay(executionDate),
          n: count,
        })
        if (isUnderWay) return <p key={id}>{`${text}: ${t('bank.paid_twice.wait')}`}</p>
        if (twice > 0)
          return (
            <PaidTwice
              key={id}
              one={one}
              file={id}
              text={`${text}: ${t('bank.paid_twice.rows', { n: twice })}`}
              onDone={onDone}
            />
          )
        return (
          <OfficeButton
            key={id}
            look="secondary"
            isBusy={entering.isPending}
            onClick={() => entering.mutate(id)}
          >
            {text}
          </OfficeButton>
        )
      })}
    </>
  )
}
