import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useState } from 'react'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import { confirmImport, reloadImports, undoImport, type ImportDetail } from './import-calls.ts'
import css from './imports.module.css'

type Act = 'drafts' | 'approve' | 'credit' | 'sent' | 'undo'

/** What is made of the rows that are ready; the wrong ones wait. */
export function ImportActs({ one }: { one: ImportDetail }) {
  const [act, setAct] = useState<Act>()
  const mayApprove = useRight('approve')
  const { id, invoices, made, creditNotes, credited, progress, sums, wrong } = one
  const left = invoices - made
  const toCredit = creditNotes - credited
  if (progress !== null) return null
  const sum = sumText(sums, ({ toMake }) => minorOf(toMake))
  const credit = sumText(sums, ({ toCredit: open }) => minorOf(open))
  const close = () => setAct(undefined)
  return (
    <div className={css.acts}>
      {left + toCredit > 0 && (
        <>
          {left > 0 && (
            <OfficeButton look="primary" size="large" onClick={() => setAct('drafts')}>
              {t('import.make_drafts', { n: left })}
            </OfficeButton>
          )}
          {mayApprove && left > 0 && (
            <OfficeButton size="large" onClick={() => setAct('approve')}>
              {t('import.make_and_send')}
            </OfficeButton>
          )}
          {mayApprove && left === 0 && (
            <OfficeButton look="primary" size="large" onClick={() => setAct('credit')}>
              {t('import.apply_credits', { n: toCredit })}
            </OfficeButton>
          )}
        </>
      )}
      {mayApprove && (left > 0 || wrong > 0) && (
        <OfficeButton look="quiet" size="large" onClick={() => setAct('sent')}>
          {t('import.sent_by_us')}
        </OfficeButton>
      )}
      <OfficeButton look="quiet" size="large" onClick={() => setAct('undo')}>
        {t(made > 0 ? 'import.undo' : 'import.discard')}
      </OfficeButton>
      {wrong > 0 && <p className={css.note}>{t('import.wrong_wait', { n: wrong })}</p>}
      {act && (
        <ActDialog
          form={formOf(act, { n: left, sum, made, credits: toCredit, credit, wrong })}
          onCommit={(values) => perform(id, act, values)}
          onClose={close}
          onDone={() => {
            close()
            reloadImports()
          }}
        />
      )}
    </div>
  )
}

/** Only of those currencies that have some; a sum without any is left out. */
function sumText(sums: ImportDetail['sums'], minorIn: (one: ImportDetail['sums'][number]) => number): string {
  return sums
    .filter((one) => minorIn(one) > 0)
    .map((one) => formatMoney(minorIn(one), one.currency, currentLanguage()))
    .join(' + ')
}

type Counted = {
  readonly n: number
  readonly sum: string
  readonly made: number
  readonly credits: number
  readonly credit: string
  readonly wrong: number
}

/** What happens to the invoices, and to the credit notes, which are no part of their number and sum. */
function consequenceOf(act: Exclude<Act, 'undo'>, { n, sum, credits, credit, wrong }: Counted): string {
  const name = act === 'drafts' ? 'import.dialog.credits_wait' : 'import.dialog.credit_text'
  return [
    n > 0 && act !== 'credit' ? t(`import.dialog.${act}_text`, { n, sum }) : '',
    act === 'sent' && wrong > 0 ? t('import.dialog.sent_wrong', { n: wrong }) : '',
    credits > 0 ? t(name, { n: credits, sum: credit }) : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function formOf(act: Act, of: Counted): ActForm {
  const { made } = of
  if (act === 'undo') {
    return {
      title: t(made > 0 ? 'import.undo' : 'import.discard'),
      consequence: t(made > 0 ? 'import.undo_text' : 'import.discard_text', { n: made }),
      fields: [],
      commit: t(made > 0 ? 'import.undo' : 'import.discard'),
      isFinal: true,
      done: t('import.is_undone'),
    }
  }
  return {
    title: t(`import.dialog.${act}`),
    consequence: consequenceOf(act, of),
    fields:
      act === 'sent'
        ? [
            {
              name: 'sentDate',
              label: t('import.column.sent_date'),
              type: 'date',
              mandatory: true,
              look: 'date',
            },
          ]
        : [],
    commit: t(`import.dialog.${act}_commit`),
    done: t('import.begun'),
  }
}

function perform(id: string, act: Act, values: Readonly<Record<string, string>>): Promise<unknown> {
  if (act === 'undo') return undoImport(id)
  const sentDate = values['sentDate'] ?? ''
  return confirmImport(id, {
    approve: act !== 'drafts',
    ...(act === 'sent' ? { alreadySent: { sentDate } } : {}),
  })
}
