import { whenIdle } from '@kvitt/ui/start/idle.ts'
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { LatePartFailed } from './shell/late-part-failed.tsx'
import { withWords } from './words.ts'

type Prepared = {
  /** Does while its data are awaited what would take long when it is shown for the first time. */
  readonly prepare?: () => unknown
}

/** A page, or a part of one, with a chunk of its own; `load` fetches it and its words ahead. */
export type LatePage<Props> = ComponentType<Props> & { readonly load: () => Promise<{ default: Prepared }> }

type Meanwhile<Props> = {
  /** Stands in its place until it has come. */
  readonly waiting?: ReactNode
  /** Stands in its place when it could not be fetched, and asks again. */
  readonly failed?: ComponentType<Props & { onRetry: () => void }>
}

/**
 * A component whose code comes when it is shown, or ahead: then it is shown at once. What could not be fetched is
 * asked for again by what stands in its place, and takes nothing else of the page with it.
 */
export function latePage<Props extends object>(
  fetchPage: () => Promise<{ default: ComponentType<Props> & Prepared }>,
  { waiting = null, failed: Failed = LatePartFailed }: Meanwhile<Props> = {},
): LatePage<Props> {
  let loaded: ComponentType<Props> | undefined
  let failures = 0
  const load = async () => {
    mendStyles()
    const page = await withWords(fetchPage())
    loaded = page.default
    return page
  }
  function Page(props: Props) {
    const [isFailed, setFailed] = useState<boolean>()
    const ask = () => {
      load().then(
        () => setFailed(false),
        (error: unknown) => {
          setFailed(true)
          failures += 1
          if (failures > 1) reloadOnce(String(error).replace(/#.*/, '')).catch(() => {})
        },
      )
    }
    const isMissing = loaded === undefined
    // In a task of its own: what a page shows for the first time is not held up by what it shows next.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: what failed is asked for by what says so
    useEffect(() => void (isMissing && setTimeout(ask)), [])
    const Loaded = loaded
    if (Loaded) return <Loaded {...props} />
    return isFailed ? <Failed {...props} onRetry={ask} /> : waiting
  }
  return Object.assign(Page, { load })
}

/** Fetches what a press may open when there is nothing else to do: then it opens at once, and without a connection. */
export function useAhead(parts: readonly Ahead[]): void {
  useEffect(() => {
    for (const part of parts) ahead = ahead.then(() => loadIdle(part))
  }, [parts])
}

type Ahead = Pick<LatePage<never>, 'load'>

/** By then the first page is there, with its data: what comes ahead of a press takes no time from that. */
const FIRST_PAGE_MS = 2000

/** One after another, so that a press never waits for all of them. */
let ahead = new Promise<void>((resolve) => setTimeout(resolve, FIRST_PAGE_MS))

async function loadIdle(part: Ahead): Promise<void> {
  await new Promise<void>((resolve) => whenIdle(resolve))
  // Whoever shows it asks again, and says so.
  if (navigator.onLine) await part.load().catch(() => {})
}

/** Styles that did not arrive. Whoever fetches the code that they belong to asks for them only once. */
const lostStyles = new Set<HTMLLinkElement>()
globalThis.addEventListener?.(
  'error',
  ({ target }) => target instanceof HTMLLinkElement && lostStyles.add(target),
  true,
)

function mendStyles(): void {
  for (const link of lostStyles) link.replaceWith(link.cloneNode())
  lostStyles.clear()
}

const RELOADED = 'reloaded_for'

/**
 * The server answers, and still a file of its cannot be had: a newer program has taken its place, or the browser will
 * not ask for it again. The page is loaded anew, once for each such file; never where nothing outlives the page (storage.ts).
 */
async function reloadOnce(failure: string): Promise<void> {
  const isKept = sessionStorage instanceof Storage
  if (!isKept || sessionStorage.getItem(RELOADED) === failure || !(await fetch('/')).ok) return
  sessionStorage.setItem(RELOADED, failure)
  location.reload()
}
