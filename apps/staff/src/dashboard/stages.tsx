import { STAGES } from '@kvitt/domain/dashboard/dashboard.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { Switched } from '../shell/switched.tsx'
import { t } from '../text.ts'
import { Bars } from './bars.tsx'
import { shareText } from './compared.ts'
import type { Dashboard } from './dashboard-calls.ts'
import css from './dashboard-page.module.css'

/** Of the invoices that were sent in the period, how far each has come by now. */
export function Stages({ data: { stages, before } }: { data: Dashboard }) {
  return (
    <Switched
      name="stages"
      title={t('dashboard.stages')}
      note={t('dashboard.stages_note')}
      chart={
        <Bars
          rows={STAGES.map((stage) => ({
            name: t(`dashboard.${stage}`),
            value: stages[stage],
            text: `${formatCount(stages[stage])} · ${shareText(stages[stage], stages.sent)}`,
          }))}
        />
      }
      table={
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('dashboard.stage')}</th>
              <th scope="col">{t('figures.count')}</th>
              <th scope="col">{t('dashboard.share')}</th>
              <th scope="col">{t('dashboard.share_before')}</th>
            </tr>
          </thead>
          <tbody>
            {STAGES.map((stage) => (
              <tr key={stage}>
                <th scope="row">{t(`dashboard.${stage}`)}</th>
                <td>{formatCount(stages[stage])}</td>
                <td>{shareText(stages[stage], stages.sent)}</td>
                <td>{shareText(before.stages[stage], before.stages.sent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  )
}
