import { useSyncExternalStore } from 'react'

/** Two columns and real tables from here on (the specification's breakpoint 960/961). */
const WIDE = matchMedia('(min-width: 961px)')

function subscribe(changed: () => void): () => void {
  WIDE.addEventListener('change', changed)
  return () => WIDE.removeEventListener('change', changed)
}

/** Is the window wide? For what has another structure there; looks alone are a matter of CSS. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => WIDE.matches)
}
