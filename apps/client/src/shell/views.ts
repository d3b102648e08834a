/** The views of the portal, as the sidebar names them. A view stands here when its calls do. */
import type { RailGroup } from '@kvitt/office/frame/rail.tsx'
import { t } from '../text.ts'

export type ViewName = 'todo' | 'invoices' | 'disputes'

/** `G` and this letter lead there. */
export const LETTERS: Readonly<Record<string, ViewName>> = { t: 'todo', i: 'invoices', d: 'disputes' }

/** @param open how much there is to do */
export function railGroups(open: number | undefined): readonly RailGroup[] {
  return [
    {
      entries: [
        { view: 'todo', icon: 'to-do', text: t('view.todo'), count: open },
        { view: 'invoices', icon: 'document', text: t('view.invoices') },
        { view: 'disputes', icon: 'dispute', text: t('view.disputes') },
      ],
    },
  ]
}
