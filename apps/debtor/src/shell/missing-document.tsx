import { Icon } from '@kvitt/ui/components/icon.tsx'
import { t, type MessageId } from '../text.ts'
import css from './missing-document.module.css'

/** Said in place of a paper that is not there (specification section 8). */
export function MissingDocument({ text }: { text: MessageId }) {
  return (
    <p className={css.missing} role="status">
      <Icon name="alert" size={16} />
      {t(text)}
    </p>
  )
}
