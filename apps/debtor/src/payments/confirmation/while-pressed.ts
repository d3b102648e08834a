import { useEffect, useEffectEvent, useState } from 'react'

/** A tap becomes a click only some time after the finger has left. */
const CLICK_COMES_MS = 300

/**
 * The newest `value`, but not while somebody presses: what comes above a button moves it away from under the press, which
 * is lost then.
 */
export function useHeldWhilePressed<T>(value: T): T {
  const [held, setHeld] = useState<{ readonly value: T }>()
  const hold = useEffectEvent(() => setHeld((before) => before ?? { value }))
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    let timer = 0
    const press = ({ button }: PointerEvent) => {
      // Another button opens a menu, which may swallow its end.
      if (button !== 0) return
      clearTimeout(timer)
      hold()
    }
    const release = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setHeld(undefined), CLICK_COMES_MS)
    }
    addEventListener('pointerdown', press, { signal })
    addEventListener('pointerup', release, { signal })
    addEventListener('pointercancel', release, { signal })
    signal.addEventListener('abort', () => clearTimeout(timer))
    return () => ended.abort()
  }, [])
  return held ? held.value : value
}
