/** React begins where it stands: in the file that has it (vite.config.ts), in a task of its own (head.ts). */
import { startTransition, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

/** Makes `page` in `place`, in pieces so short that nobody waits for an answer to a key or a press meanwhile. */
export function makePage(place: Element, page: ReactNode): void {
  startTransition(() => createRoot(place).render(page))
}
