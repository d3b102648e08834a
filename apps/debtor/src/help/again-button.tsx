import { Button } from '@kvitt/ui/components/button.tsx'
import { t } from '../text.ts'
import type { OutgoingFiles, SendFile } from './outgoing.ts'

type AgainProps = { outgoing: OutgoingFiles; sendFile: SendFile; onWhole?: () => void }

/** Sends once more what has not arrived; nothing where everything has. */
export function AgainButton({ outgoing, sendFile, onWhole }: AgainProps) {
  if (!outgoing.files.some(({ state }) => state === 'failed')) return null
  const again = async () => {
    if (await outgoing.sendAgain(sendFile)) onWhole?.()
  }
  return <Button onClick={() => void again()}>{t('login.retry')}</Button>
}
