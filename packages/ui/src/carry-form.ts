/** Carries a call as `fetch` does, and tells how much of the body is on its way: `fetch` cannot. */

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().split('\r\n').filter(Boolean)
  return new Headers(
    lines.map((line): [string, string] => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1).trim()]
    }),
  )
}

/** `onShare` is told from 0 to 1. The promise fails as that of `fetch` does. */
export function carryForm(onShare: (share: number) => void) {
  return (url: string, { method = 'PUT', headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded, total }) =>
        onShare(total > 0 ? loaded / total : 0),
      )
      request.addEventListener('load', () => {
        const { status, responseText } = request
        resolve(new Response(status === 204 ? null : responseText, { status, headers: headersOf(request) }))
      })
      request.addEventListener('error', () => reject(new TypeError('no answer')))
      request.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')))
      signal?.addEventListener('abort', () => request.abort())
      request.send(body as FormData)
    })
}
