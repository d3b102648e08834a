import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useState } from 'react'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import { confirmImport, reloadImports, undoImport, type ImportDetail } from './import-calls.ts'
import css from './imports.module.css'

type Act = 'drafts' | 'approve' | 'sent' | 'undo'

/** What is made of the rows that are ready; the wrong ones wait. */
export function ImportActs({ one }: { one: ImportDetail }) {
  const [act, setAct] = useState<Act>()
  const mayApprove = useRight('approve')
  const { id, invoices, made, progress, sums, wrong } = one
  const left = invoices - made
  if (progress !== null) return null
  const sum = sums
    .map(({ toMake: open, currency }) => formatMoney(minorOf(open), currency, currentLanguage()))
    .join(' + ')
  const close = () => setAct(undefined)
  return (
    <div className={css.acts}>
      {left > 0 && (
        <>
          <OfficeButton look="primary" size="large" onClick={() => setAct('drafts')}>
            {t('import.make_drafts', { n: left })}
          </OfficeButton>
          {mayApprove && (
            <OfficeButton size="large" onClick={() => setAct('approve')}>
              {t('import.make_and_send')}
            </OfficeButton>
          )}
          <OfficeButton look="quiet" size="large" onClick={() => setAct('sent')}>
            {t('import.sent_by_us')}
          </OfficeButton>
        </>
      )}
      <OfficeButton look="quiet" size="large" onClick={() => setAct('undo')}>
        {t(made > 0 ? 'import.undo' : 'import.discard')}
      </OfficeButton>
      {wrong > 0 && <p className={css.note}>{t('import.wrong_wait', { n: wrong })}</p>}
      {act && (
        <ActDialog
          form={formOf(act, { n: left, sum, made })}
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

function formOf(act: Act, of: { readonly n: number; readonly sum: string; readonly made: number }): ActForm {
  const { n, sum, made } = of
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
    consequence: t(`import.dialog.${act}_text`, { n, sum }),
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
    commit: t(`import.dialog.${act}_commit`, { n }),
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
