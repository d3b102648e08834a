import { useEffect } from 'react'

let pagesShown = 0

/**
 * Names the page "{page} – {provider}". From the second page on the heading takes the focus, so that a screen
 * reader says where one has come; the first page leaves the focus where the browser put it.
 */
export function usePageTitle(page: string, provider: string | undefined): void {
  useEffect(() => {
    document.title = provider ? `${page} – ${provider}` : page
    pagesShown += 1
    // What went wrong on the page is more important than where one is.
    const hasAlert = document.activeElement?.closest('[role="alert"]')
    if (pagesShown > 1 && !hasAlert) document.querySelector('h1')?.focus({ preventScroll: true })
  }, [page, provider])
}
