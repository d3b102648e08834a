/** Lets the support site answer without a network after a first visit. */

type Policy = { createScriptURL: (url: string) => string }
type Trusting = {
  trustedTypes?: { createPolicy: (name: string, policy: Policy) => unknown }
}

/** @param base what stands before the site's paths: nothing, or `/support` */
export function keepOffline(base: string): void {
  const worker = `${base}/worker.js`
  if (!('serviceWorker' in navigator)) return
  const { trustedTypes } = globalThis as Trusting
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (url !== worker) throw new TypeError(`${url} is no script of this site`)
      return url
    },
  })
  const register = (): void => {
    void navigator.serviceWorker
      .register(worker, { scope: `${base}/` })
      .then(() => navigator.serviceWorker.ready)
      .then(({ active }) => active?.postMessage({ keep: pagesToKeep(base) }, { transfer: [] }))
      .catch(() => {})
  }
  if (document.readyState === 'complete') register()
  else addEventListener('load', register)
}

/** This page, its style and script, its search's index, and every answer that it links to in its own site. */
function pagesToKeep(base: string): string[] {
  const { saveData = false } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {}
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav.topics a')].map(({ href }) => href)
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => new URL(name).pathname.startsWith(`${base}/assets/`))
  const index = /"index":"([^"]+)"/.exec(document.getElementById('data')?.textContent ?? '')?.[1]
  return [
    location.href.split(/[?#]/, 1)[0] ?? '',
    ...loaded,
    ...(index ? [index] : []),
    ...(saveData ? [] : links),
  ]
}
