import { Button } from '@kvitt/ui/components/button.tsx'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useInstance } from '../instance.ts'
import { t } from '../text.ts'
import { isBackFromPaying } from '../views.ts'
import { AnswerLink } from './answer-link.tsx'
import { useAskAgain } from './ask-again.ts'
import { Bar } from './bar.tsx'
import { Footer } from './footer.tsx'
import css from './message-page.module.css'

/** No answer came from the server: says what is true all the same, and asks until there is one. */
export function LoadFailedPage({ onRetry }: { onRetry: () => void }) {
  const instance = useInstance()
  const isUnsure = isBackFromPaying()
  const title = t(isUnsure ? 'load_failed.unsure' : 'load_failed.title')
  usePageTitle(title, instance?.name)
  useAskAgain(onRetry)
  return (
    <>
      <Bar />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <h1 tabIndex={-1}>{title}</h1>
        <p className={css.lead}>{t(isUnsure ? 'load_failed.unsure_text' : 'load_failed.safe')}</p>
        <div className={css.actions}>
          <Button wide onClick={onRetry}>
            {t('login.retry')}
          </Button>
          <AnswerLink article={isUnsure ? 'already-paid' : 'other-question'} />
        </div>
      </main>
      <Footer />
    </>
  )
}
