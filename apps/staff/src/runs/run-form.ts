/** Has a job done once more. */
import { RUN_WORKS } from '@kvitt/domain/runs/run.ts'
import type { ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { t } from '../text.ts'
import type { Run } from './run-calls.ts'

export const runForm = (work: Run['work']): ActForm => ({
  title: t('run.again'),
  consequence: t('run.again.text'),
  fields: [
    {
      name: 'work',
      type: 'text',
      look: 'choice',
      label: t('run.work'),
      initial: work,
      choices: RUN_WORKS.map((value) => ({
        value,
        text: t(`run.work.${value}`),
        hint: t(`run.work.${value}.hint`),
      })),
    },
  ],
  commit: t('run.again'),
  done: t('run.again.done'),
})
