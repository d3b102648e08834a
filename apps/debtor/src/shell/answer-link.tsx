import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { t, type MessageId } from '../text.ts'
import css from './message-page.module.css'

/** The articles that the portal leads to; tools/portal-articles.test.ts reads them here. */
export type ArticleName =
  | 'already-paid'
  | 'bankid-trouble'
  | 'dispute'
  | 'genuine'
  | 'lost-letter'
  | 'more-time'
  | 'other-delivery'
  | 'other-question'
  | 'swish-trouble'
  | 'ways-to-pay'
  | 'why-reminder'
  | 'why-this'
  | 'wrong-address'
  | 'wrong-amount'

type AnswerLinkProps = {
  /** Its folder in apps/support/articles. */
  article: ArticleName
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
