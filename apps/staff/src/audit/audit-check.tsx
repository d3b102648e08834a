import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { useMutation } from '@tanstack/react-query'
import { t } from '../text.ts'
import { verifyAudit } from './audit-calls.ts'
import css from './audit-page.module.css'

/** Whether every entry is as it was written. Looking at all of them takes a while, so somebody asks for it. */
export function AuditCheck() {
  const check = useMutation({ mutationFn: verifyAudit, meta: { isSilent: true } })
  const { data, isPending, isError } = check
  const told = () => {
    if (isPending) return t('audit.checking')
    if (isError) return t('audit.check_failed')
    if (!data) return t('audit.chain_text')
    if (data.firstBroken) {
      const { log, seq, at } = data.firstBroken
      return t('audit.broken_text', {
        log: t(`audit.log.${log}`),
        seq: formatCount(seq),
        at: momentText(at, { hasSeconds: true }),
      })
    }
    return t(data.intact ? 'audit.intact_text' : 'audit.cut_text', { n: formatCount(data.checked) })
  }
  const title = !data ? t('audit.chain') : data.intact ? t('audit.intact') : t('audit.broken')
  return (
    <section
      className={css.check}
      data-broken={data && !data.intact ? true : undefined}
      aria-label={t('audit.chain')}
    >
      <div role="status">
        <h2>{title}</h2>
        <p>{told()}</p>
      </div>
      <OfficeButton onClick={() => check.mutate()} isBusy={isPending}>
        {t('audit.check')}
      </OfficeButton>
    </section>
  )
}
