import { Button } from '@kvitt/ui/components/button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { useEffect, useEffectEvent } from 'react'
import { t } from '../text.ts'
import { useAskAgain } from './ask-again.ts'

/** In the place of a part that could not be fetched, until it can. */
export function LatePartFailed({ onRetry }: { onRetry: () => void }) {
  useAskAgain(onRetry)
  return (
    <MessageBox tone="bad" role="alert" heading={t('late.failed')}>
      <Button look="text" onClick={onRetry}>
        {t('login.retry')}
      </Button>
    </MessageBox>
  )
}

/** A dialog that could not be fetched does not open; the press that was for it can be repeated. */
export function LateDialogFailed({ onClose }: { onClose: () => void }) {
  const giveUp = useEffectEvent(() => {
    showToast(t('late.failed'), true)
    onClose()
  })
  useEffect(() => giveUp(), [])
  return null
}
