import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useMe } from './me.ts'

/** Names the page after the view and the creditor; from the second one on its heading takes the focus. */
export function usePageName(name: string): void {
  usePageTitle(name, useMe().membership.creditor.name)
}
