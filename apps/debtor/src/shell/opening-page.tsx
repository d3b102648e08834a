import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useInstance } from '../instance.ts'
import { t } from '../text.ts'
import { Bar } from './bar.tsx'
import css from './opening-page.module.css'

/** The invoice page before its data: same places and sizes, so that nothing moves, and who it is that asks for money. */
export function OpeningPage() {
  const instance = useInstance()
  usePageTitle(t('login.opening'), instance?.name)
  return (
    <>
      <Bar signedIn />
      <main className={`page ${css.columns}`} tabIndex={-1} aria-busy="true">
        <div className={css.hero}>
          <Skeleton width={8} height={1.75} />
          <Skeleton width={16} height={2.75} />
          <div className={css.words}>
            <h1 className={css.heading} tabIndex={-1}>
              {t('login.opening')}
            </h1>
            <p>
              {instance && t('home.trust', { provider: instance.name })} {t('home.safety')}
            </p>
          </div>
          <div className={css.button}>
            <Skeleton height={3} />
          </div>
          <Skeleton width={18} height={2.75} />
        </div>
        <div className={css.side}>
          <Skeleton width={14} height={1.625} />
          <Skeleton height={14} />
          <Skeleton height={4.25} />
        </div>
      </main>
    </>
  )
}
