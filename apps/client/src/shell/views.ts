/** The views of the portal, as the sidebar names them. A view stands here when its calls do. */
import type { RailGroup } from '@kvitt/office/frame/rail.tsx'
import { t } from '../text.ts'

export type ViewName = 'todo' | 'invoices' | 'claims' | 'debtors' | 'disputes' | 'payments'

/** `G` and this letter lead there. */
export const LETTERS: Readonly<Record<string, ViewName>> = {
  t: 'todo',
  i: 'invoices',
  c: 'claims',
  d: 'debtors',
  u: 'disputes',
  p: 'payments',
}

/** @param open how much there is to do */
export function railGroups(open: number | undefined): readonly RailGroup[] {
  return [
    {
      entries: [
        { view: 'todo', icon: 'to-do', text: t('view.todo'), count: open },
        { view: 'invoices', icon: 'document', text: t('view.invoices') },
        { view: 'claims', icon: 'claim', text: t('view.claims') },
        { view: 'debtors', icon: 'people', text: t('view.debtors') },
        { view: 'disputes', icon: 'dispute', text: t('view.disputes') },
      ],
    },
    { label: t('view.money'), entries: [{ view: 'payments', icon: 'payment', text: t('view.payments') }] },
  ]
}
