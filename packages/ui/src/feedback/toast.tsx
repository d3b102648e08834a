import { useSyncExternalStore } from 'react'
import { Icon } from '../components/icon.tsx'
import css from './toast.module.css'

/** How long a message stays (specification section 9). */
const SHOWN_MS = 4000

type Toast = { readonly text: string; readonly isError: boolean }

const NONE: Toast = { text: '', isError: false }
let shown = NONE
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function show(next: Toast): void {
  shown = next
  for (const changed of listeners) changed()
}

/** Shows `text` at the bottom for four seconds and says it to screen readers. Nothing that has to be mended. */
export function showToast(text: string, isError = false): void {
  clearTimeout(timer)
  show({ text, isError })
  timer = setTimeout(() => show(NONE), SHOWN_MS)
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** The status region; it stands in the page from the first render, so that its changes are announced. */
export function ToastRegion() {
  const current = useSyncExternalStore(subscribe, () => shown)
  return (
    <div className={css.region} role="status">
      {current.text && (
        <span className={css.toast}>
          <Icon name={current.isError ? 'alert' : 'check'} size={20} />
          {current.text}
        </span>
      )}
    </div>
  )
}
