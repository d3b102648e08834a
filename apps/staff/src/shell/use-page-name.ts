import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { readProvider } from '@kvitt/office/provider.ts'
import { useMe, workplaceOf } from './me.ts'

/** Names the page after the view and the creditor, or the provider; from the second one on its heading takes the focus. */
export function usePageName(name: string): void {
  usePageTitle(name, workplaceOf(useMe().membership, readProvider().name))
}
