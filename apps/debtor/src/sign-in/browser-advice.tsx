import { withMoreWords } from '../words.ts'
import { useEffect, useState, type ComponentType } from 'react'

/** On phones only: whether the browser is one of those that need the advice is told by a chunk of its own. */
export function BrowserAdvice() {
  const [Banner, setBanner] = useState<ComponentType>()
  useEffect(() => {
    if (!/Android|iPhone|iPad|iPod/.test(navigator.userAgent)) return
    withMoreWords(import('./browser-banner.tsx')).then(
      ({ BrowserBanner }) => setBanner(() => BrowserBanner),
      () => {},
    )
  }, [])
  return Banner ? <Banner /> : null
}
