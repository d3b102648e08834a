import { Button } from '@kvitt/ui/components/button.tsx'
import { MessageBox } from '@kvitt/ui/components/message-box.tsx'
import { Trans } from '@lingui/react'
import { useInstance } from '../instance.ts'
import { telHref } from '../shell/footer.tsx'
import { t } from '../text.ts'

/** The server gave no answer while logging in. */
export function ServerDown({ onRetry }: { onRetry?: () => void }) {
  const phone = useInstance()?.contactInformation.phone
  return (
    <MessageBox tone="bad" heading={t('server_down.title')} role="alert">
      <p>{t('server_down.text')}</p>
      {phone && (
        <p>
          <Trans id="server_down.call" values={{ phone }} components={{ tel: <a href={telHref(phone)} /> }} />
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
