import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'
import { useMutation } from '@tanstack/react-query'
import { t } from '../text.ts'
import { fetchVatInvoice, type Settlement } from './settlement-calls.ts'
import css from './settlement-page.module.css'

/** The invoice that the creditor's books need for the fees; nothing where there are none. */
export function VatInvoice({ settlement: { id, vatInvoice } }: { settlement: Settlement }) {
  const save = useMutation({
    mutationFn: () => fetchVatInvoice(id),
    meta: { done: t('settlement.vat_invoice.saved') },
    onSuccess: (file) => saveFile(file, `${t('settlement.vat_invoice')} ${vatInvoice?.number ?? ''}.pdf`),
  })
  if (!vatInvoice) return null
  const { number, issuedOn, kind } = vatInvoice
  return (
    <section className={css.part}>
      <h2>{t('settlement.vat_invoice')}</h2>
      <p className={css.sentence}>
        {t(`settlement.vat_invoice.${kind}`, { number, date: formatDay(issuedOn) })}
      </p>
      <div className={css.file}>
        <OfficeButton isBusy={save.isPending} onClick={() => save.mutate()}>
          {t('settlement.vat_invoice.save')}
        </OfficeButton>
      </div>
    </section>
  )
}
