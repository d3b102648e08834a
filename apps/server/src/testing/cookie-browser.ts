/** A browser as sign-ins of staff need one. */

/** A browser: it keeps cookies by their path, and follows no redirect by itself. */
export function openCookieBrowser(origin: string) {
  const jar = new Map<string, { value: string; path: string }>()
  return async (method: string, url: string, body?: { json?: unknown; form?: Record<string, string> }) => {
    const at = new URL(url, origin)
    const cookie = [...jar]
      .filter(([, { path }]) => at.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const answer = await fetch(at, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie ? { cookie } : {}),
        ...(body?.json ? { 'content-type': 'application/json' } : {}),
      },
      ...(body?.json ? { body: JSON.stringify(body.json) } : {}),
      ...(body?.form ? { body: new URLSearchParams(body.form) } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...marks] = line.split(/;\s*/)
      const [name = '', value = ''] = pair.split('=', 2)
      const path = marks.find((mark) => mark.startsWith('path='))?.slice(5) ?? '/'
      if (/expires=Thu, 01 Jan 1970/.test(line)) jar.delete(name)
      else jar.set(name, { value, path })
    }
    return answer
  }
}

export type CookieBrowser = ReturnType<typeof openCookieBrowser>
