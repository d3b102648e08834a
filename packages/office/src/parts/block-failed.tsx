import { ApiRefusal } from '@kvitt/ui/api.ts'
import { failureText } from '../calls.ts'
import { t } from '../text.ts'
import css from './block-failed.module.css'
import { OfficeButton } from './office-button.tsx'

/** What was asked for cannot be, such as a day to come: the same again is refused again. */
const isAskedWrongly = (error: unknown): boolean => error instanceof ApiRefusal && error.status === 400

/** In the place of what could not be read: what failed, that nothing has changed, and the way to try again where that can help. */
export function BlockFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const text = failureText(error)
  const isMissing = error instanceof ApiRefusal && error.status === 404
  const mayHelp = !isMissing && !isAskedWrongly(error)
  return (
    <div className={css.block} role="alert">
      <h2>{isMissing ? t('office.not_there') : t('office.load_failed')}</h2>
      <p>{isMissing ? t('office.not_there_text') : text}</p>
      {mayHelp && <p>{t('office.nothing_changed')}</p>}
      {mayHelp && <OfficeButton onClick={onRetry}>{t('office.try_again')}</OfficeButton>}
      {error instanceof ApiRefusal && error.traceId && <p className={css.trace}>{error.traceId}</p>}
    </div>
  )
}
