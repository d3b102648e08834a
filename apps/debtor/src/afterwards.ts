/** What waits until the page stands and there is nothing else to do. */
import { sayContract } from '@kvitt/ui/feedback/other-release.ts'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { keep } from '@kvitt/ui/shell/keep.ts'
import { storageUrl, type PageInstance } from './instance.ts'
import { isPeeking } from './session.ts'
import { listChoices } from './shell/consent.ts'
import { t } from './text.ts'
import { withMoreWords } from './words.ts'

/**
 * @param instance undefined when it could not be loaded
 * @param refused a language that the address asks for and nobody speaks here
 */
export function afterwards(instance: PageInstance | undefined, refused: string | undefined): void {
  if (refused !== undefined) showToast(t('error.language_not_supported', { x: refused.slice(0, 10) }), true)
  keep()
  showIcon()
  // A ticket that is put into a running tab is used up and leaves the address as it does at the start (main.tsx).
  addEventListener('hashchange', () => {
    if (/^#.view/.test(location.hash)) location.reload()
  })
  if (!instance) return
  sayContract(instance.contract)
  // Whoever looks as the debtor would is no visitor whom a provider counts or talks to.
  if (!isPeeking() && (listChoices(instance).length > 0 || instance.errorReporting)) {
    void withMoreWords(import('./extras/extras.tsx')).then(({ startExtras }) => startExtras(instance))
  }
  const picture = instance.fileInformation.debtorPortalBackgroundFileName
  if (picture) showPicture(storageUrl(picture))
}

/** The provider's icon. Asked for in the head it came before the words, which on a phone's line waited a turn for it. */
function showIcon(): void {
  const icon = document.querySelector<HTMLLinkElement>('link[data-src]')
  if (icon?.dataset.src) icon.href = icon.dataset.src
}

/** The provider's picture beside the pages, where a window has room for one (base.css). Decoration, so it comes last. */
function showPicture(url: string): void {
  document.documentElement.dataset.picture = ''
  document.documentElement.style.setProperty('--page-picture', `url("${url}")`)
}
