/** The views of the portal, as the sidebar names them. A view stands here when its calls do. */
import type { RailGroup } from '@kvitt/office/frame/rail.tsx'
import { t } from '../text.ts'

export type ViewName = 'todo' | 'invoices'

/** `G` and this letter lead there. */
export const LETTERS: Readonly<Record<string, ViewName>> = { i: 'invoices' }

export function railGroups(): readonly RailGroup[] {
  return [{ entries: [{ view: 'invoices', icon: 'document', text: t('view.invoices') }] }]
}
