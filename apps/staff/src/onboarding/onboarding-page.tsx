import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useQuery } from '@tanstack/react-query'
import { useRight } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { Checklist } from './checklist.tsx'
import { onboardingQuery } from './onboarding-calls.ts'
import css from './onboarding-page.module.css'

/** From nothing to the first paid invoice. It stands on the dashboard until it is done, and here always. */
export default function OnboardingPage() {
  usePageName(t('view.onboarding'))
  const may = useRight('provider')
  const found = useQuery({ ...onboardingQuery, enabled: may })
  return (
    <>
      <Bar title={t('view.onboarding')} />
      <div className={css.page}>
        <p className={css.quiet}>{t(may ? 'onboarding.intro' : 'onboarding.only_manager')}</p>
        {may && found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
        {may && found.isPending && <ListWaiting rows={6} />}
        {found.data?.isDone && <MessageBox tone="ok">{t('onboarding.all_done')}</MessageBox>}
        {found.data && <Checklist onboarding={found.data} heading="h2" />}
      </div>
    </>
  )
}
