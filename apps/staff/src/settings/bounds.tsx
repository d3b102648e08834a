import { MOST_DAYS_ASKED, MOST_PLAN_MONTHS } from '@kvitt/domain/conversations/request.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { useState } from 'react'
import { api, queries } from '../calls.ts'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'

/** How much time and how long a plan a debtor is granted at once; whoever may set it changes it here. */
export function Bounds({ mostDays, planMonths }: { mostDays: number; planMonths: number }) {
  const may = useRight('settings')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p>{t(mostDays === 0 ? 'settings.bounds.none' : 'settings.bounds.days', { days: mostDays })}</p>
      <p>
        {t(planMonths === 0 ? 'settings.bounds.plan_none' : 'settings.bounds.plan', { months: planMonths })}
      </p>
      {may && (
        <div>
          <OfficeButton onClick={() => setOpen(true)}>{t('settings.bounds.change')}</OfficeButton>
        </div>
      )}
      {isOpen && (
        <ActDialog
          form={{
            title: t('settings.bounds'),
            consequence: t('settings.bounds.text'),
            commit: t('settings.bounds.change'),
            done: t('settings.bounds.done'),
            fields: [
              {
                name: 'mostDays',
                type: 'text',
                look: 'number',
                label: t('settings.bounds.mostDays'),
                hint: t('settings.bounds.hint'),
                mandatory: true,
                initial: String(mostDays),
                check: (value) =>
                  /^\d{1,2}$/.test(value.trim()) && Number(value) <= MOST_DAYS_ASKED
                    ? undefined
                    : t('settings.bounds.wrong'),
              },
              {
                name: 'planMonths',
                type: 'text',
                look: 'number',
                label: t('settings.bounds.planMonths'),
                hint: t('settings.bounds.planHint'),
                mandatory: true,
                initial: String(planMonths),
                check: (value) =>
                  /^\d{1,2}$/.test(value.trim()) && Number(value) <= MOST_PLAN_MONTHS
                    ? undefined
                    : t('settings.bounds.planWrong'),
              },
            ],
          }}
          onCommit={(values) =>
            api.ask(staffCall('PUT', '/client/settings/bounds'), {
              body: {
                mostDays: Number(values['mostDays']),
                planMonths: Number(values['planMonths']),
              },
            })
          }
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            void queries.invalidateQueries({ queryKey: ['settings'] })
          }}
        />
      )}
    </>
  )
}
