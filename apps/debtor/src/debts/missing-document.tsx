import { ApiRefusal } from '@kvitt/ui/api.ts'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { t, type MessageId } from '../text.ts'
import css from './missing-document.module.css'
import { isRefused } from '../shell/use-failure.ts'

type MissingProps = {
  /** Why it could not be fetched, if it could not. */
  failure: unknown
  text: MessageId
}

/** When to ask again, of a failure because too many want files just now; undefined of any other. */
export function waitText(failure: unknown): string | undefined {
  return failure instanceof ApiRefusal && failure.code === 'files_busy' ? failure.message : undefined
}

/** Said in place of a paper that is not there (specification section 8); without an answer nobody knows whether it is. */
export function MissingDocument({ failure, text }: MissingProps) {
  if (!failure) return null
  return (
    <p className={css.missing} role="status">
      <Icon name="alert" size={16} />
      {waitText(failure) ?? t(isRefused(failure) ? text : 'late.failed')}
    </p>
  )
}
