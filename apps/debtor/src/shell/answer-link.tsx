import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { t, type MessageId } from '../text.ts'
import css from './answer-link.module.css'

/** The articles that are led to, by their folders in apps/support/articles. */
export type Article = 'lost-letter' | 'bankid-trouble' | 'swish-trouble'

const TEXTS: Readonly<Record<Article, MessageId>> = {
  'lost-letter': 'support.lost_letter',
  'bankid-trouble': 'support.bankid',
  'swish-trouble': 'support.swish',
}

/** To an article of the support site, or to all of them. At every host of a provider its path leads there. */
export function AnswerLink({ article }: { article?: Article }) {
  const path = `/support/${currentLanguage()}/${article ? `${article}/` : ''}`
  return (
    <a className={css.link} href={path}>
      {t(article ? TEXTS[article] : 'support.all')}
    </a>
  )
}
