import { Button } from '@kvitt/ui/components/button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useInstance } from '../instance.ts'
import { PhoneSentence } from '../shell/phone-sentence.tsx'
import { t } from '../text.ts'

/** The server gave no answer while logging in. */
export function ServerDown({ onRetry }: { onRetry?: () => void }) {
  const phone = useInstance()?.contactInformation.phone
  return (
    <MessageBox tone="bad" heading={t('server_down.title')} role="alert">
      <p>{t('server_down.text')}</p>
      {phone && (
        <p>
          <PhoneSentence id="server_down.call" phone={phone} />
        </p>
      )}
      {onRetry && (
        <Button look="text" onClick={onRetry}>
          {t('login.retry')}
        </Button>
      )}
    </MessageBox>
  )
}
