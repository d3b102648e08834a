import { failureText } from '@kvitt/office/calls.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { report } from '@kvitt/office/messages/messages.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { t } from '../text.ts'
import { reloadMoney, sendBankFile } from './bank-calls.ts'
import css from './bank.module.css'

/** A bank's file is chosen, sent with its progress, and opened when its lines are in the books. */
export function BankUpload() {
  const [share, setShare] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const send = useMutation({
    mutationFn: (file: File) => sendBankFile(file, setShare),
    meta: { isSilent: true },
    onSuccess: ({ id, duplicate }) => {
      reloadMoney()
      if (duplicate) report('ok', t('bank.duplicate'))
      goTo(hashOf({ view: 'payment-batches', id }))
    },
  })
  return (
    <section className={css.part} aria-label={t('bank.add')}>
      {send.isError && (
        <MessageBox tone="bad" role="alert">
          {failureText(send.error)}
        </MessageBox>
      )}
      <div className={css.line}>
        <OfficeButton look="primary" isBusy={send.isPending} onClick={() => field.current?.click()}>
          {t('bank.add')}
        </OfficeButton>
        <p className={css.note}>{t('bank.formats')}</p>
      </div>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t('bank.add')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) send.mutate(file)
          currentTarget.value = ''
        }}
      />
      {send.isPending && (
        <div role="status">
          <progress className={css.bar} value={share} max={1} aria-label={t('import.sending')} />
          <p className={css.note}>{share < 1 ? t('import.sending') : t('bank.booking')}</p>
        </div>
      )}
    </section>
  )
}
