import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { t, type MessageId } from '../text.ts'
import css from './message-page.module.css'

type AnswerLinkProps = {
  /** Its folder in apps/support/articles. */
  article: 'lost-letter' | 'bankid-trouble' | 'other-question'
  text?: MessageId
}

/** To an article of the support site: its path leads there at every host of a provider. */
export function AnswerLink({ article, text = 'support.more' }: AnswerLinkProps) {
  return (
    <a className={css.link} href={`/support/${currentLanguage()}/${article}/`}>
      {t(text)}
    </a>
  )
}
