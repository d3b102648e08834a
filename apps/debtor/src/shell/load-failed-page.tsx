import { Button } from '@kvitt/ui/components/button.tsx'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useInstance } from '../instance.ts'
import { t } from '../text.ts'
import { Bar } from './bar.tsx'
import { Footer } from './footer.tsx'
import css from './message-page.module.css'

/** No answer came from the server: says what is safe and offers to ask again. */
export function LoadFailedPage({ onRetry }: { onRetry: () => void }) {
  const instance = useInstance()
  usePageTitle(t('load_failed.title'), instance?.name)
  return (
    <>
      <Bar />
      <main className={`page ${css.page}`} tabIndex={-1}>
        <h1 tabIndex={-1}>{t('load_failed.title')}</h1>
        <p className={css.lead}>{t('load_failed.safe')}</p>
        <div className={css.actions}>
          <Button wide onClick={onRetry}>
            {t('login.retry')}
          </Button>
        </div>
      </main>
      <Footer />
    </>
  )
}
