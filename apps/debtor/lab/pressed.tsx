import { Button } from '@kvitt/ui/components/button.tsx'
import { useEffect, useRef, useState, type ReactNode } from 'react'

/** Presses what has `name` as soon as it is there, once, for the states that a press leads to. */
export function Pressed({ name, children }: { name: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const isDone = useRef(false)
  useEffect(() => {
    const press = () => {
      if (isDone.current) return
      const all = [...(box.current?.querySelectorAll<HTMLElement>('button, summary, label') ?? [])]
      const wanted = all.find(({ textContent }) => textContent.includes(name))
      isDone.current = wanted !== undefined
      wanted?.click()
    }
    const seen = new MutationObserver(press)
    if (box.current) seen.observe(box.current, { childList: true, subtree: true })
    press()
    return () => seen.disconnect()
  }, [name])
  return (
    <div ref={box} style={{ display: 'contents' }}>
      {children}
    </div>
  )
}

/** A dialog that is open from the start, and can be opened again. */
export function Opened({ show }: { show: (onClose: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        Open again
      </Button>
      {isOpen && show(() => setOpen(false))}
    </>
  )
}
