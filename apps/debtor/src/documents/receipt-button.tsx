import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useState } from 'react'
import { api, invoiceCall } from '../calls.ts'
import type { InvoiceKey } from '../session.ts'
import { t } from '../text.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'

type ReceiptProps = { invoiceKey: InvoiceKey; invoiceNumber: string; look: 'primary' | 'secondary' }

/** Fetches the receipt, and says so when that fails. */
export default function ReceiptButton({ invoiceKey, invoiceNumber, look }: ReceiptProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const download = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const file = await api.fetchFile(invoiceCall('PUT', invoiceKey, '/payment-receipt'))
      saveFile(file, `${invoiceNumber}.pdf`)
    } catch (error) {
      setFailure(error instanceof ApiRefusal && error.code ? error.message : t('receipt.failed'))
    }
    setBusy(false)
  }
  return (
    <>
      {failure && (
        <MessageBox tone="bad" role="alert">
          <p>{failure}</p>
        </MessageBox>
      )}
      <Button
        wide
        look={look}
        icon="receipt"
        busy={isBusy ? t('receipt.busy') : undefined}
        onClick={() => void download()}
      >
        {t('invoice.download_receipt')}
      </Button>
    </>
  )
}
