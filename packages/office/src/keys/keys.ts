/** Single keys of the portals of staff (design/office 7). They are off while a field has the focus, and can be switched off. */
import { useEffect, useRef } from 'react'

const OFF = 'single_keys_off'
/** How long the second key of a pair may take. */
const PAIR_MS = 1200

export function areKeysOn(): boolean {
  return localStorage.getItem(OFF) === null
}

export function switchKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF)
  else localStorage.setItem(OFF, 'true')
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The name of a press: `j`, `?`, `Escape`, `Shift+x`, `Ctrl+Enter`; undefined for what belongs to the browser. */
export function nameOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string | undefined {
  if (altKey) return undefined
  if (ctrlKey || metaKey) return key === 'Enter' || key === 'z' ? `Ctrl+${key}` : undefined
  if (key.length > 1) return key
  const low = key.toLowerCase()
  return shiftKey && low !== low.toUpperCase() ? `Shift+${low}` : low
}

/** Is somebody writing, so that a single key is a letter? */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || (target.matches('input, textarea, select') && !isTicked(target))
}

const isTicked = (field: Element): boolean => field.matches('[type="checkbox"], [type="radio"]')

/** What stands on a link or button is pressed by it, and not taken for a key of the list. */
function isPress(name: string, target: EventTarget | null): boolean {
  const isControl =
    target instanceof Element && target.closest('a, button, summary, [role="button"]') !== null
  return isControl && (name === 'Enter' || name === ' ')
}

export type Keys = Readonly<Record<string, (() => void) | undefined>>

/** Answers these keys while the component stands: a single key, or two after each other as `g t`. */
export function useKeys(keys: Keys, isOn = true): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    if (!isOn) return undefined
    let first = ''
    let at = 0
    const press = (event: KeyboardEvent): void => {
      const name = nameOfKey(event)
      const isWithControl = name?.startsWith('Ctrl+') ?? false
      if (name === undefined || event.defaultPrevented || document.querySelector('dialog[open]')) return
      if (!isWithControl && (isWriting(event.target) || isPress(name, event.target))) return
      if (!areKeysOn() && name.length === 1) return
      const pair = event.timeStamp - at < PAIR_MS ? `${first} ${name}` : name
      first = name
      at = event.timeStamp
      const act = current.current[pair] ?? current.current[name]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [isOn])
}
