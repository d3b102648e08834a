/** What a page does when it asks a process of another release. */
import { line } from '../api.ts'

/** How often, and how soon, it is asked again: the next process is one of ours, if there is any left. */
const TRIES = 3
const WAIT_MS = 250

/**
 * From now on each call says which contract the page was made for, as the server wrote it into the page. A process of another contract that
 * cannot do it has done nothing.
 */
export function sayContract(contract: string | undefined): void {
  if (!contract) return
  const { send } = line
  line.send = async (call, sent, own) => {
    const ask = () => send(call, sent, { ...own, 'X-Contract': contract })
    const response = await ask()
    return response.headers.has('X-Other-Contract') ? askAgain(ask, response) : response
  }
}

/** Sends a call again that a process of another contract did nothing of. When nobody is left who can do it, the page says so. */
async function askAgain(send: () => Promise<Response>, first: Response): Promise<Response> {
  let response = first
  for (let tries = 0; tries < TRIES && response.headers.has('X-Other-Contract'); tries++) {
    await new Promise((next) => setTimeout(next, WAIT_MS))
    response = await send()
  }
  if (response.headers.has('X-Other-Contract')) {
    const told = (await response.clone().json()) as { code?: string } | null
    if (told?.code === 'other_release')
      await import('./new-version.ts').then(
        ({ showNewVersion }) => showNewVersion(),
        () => {},
      )
  }
  return response
}
