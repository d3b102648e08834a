import { whenIdle } from '@kvitt/ui/start/idle.ts'
import { useEffect } from 'react'
import type { DebtKey } from '../session.ts'
import { withMoreWords } from '../words.ts'

/** Keeps the page of this debt true while it is open (look-again.ts, which comes when there is nothing else to do). */
export function useFresh({ reference, zip, invoiceNumber, claimNumber }: DebtKey): void {
  useEffect(() => {
    let end: (() => void) | undefined
    let isLeft = false
    whenIdle(() => {
      void withMoreWords(import('./look-again.ts')).then(
        ({ beginLooking }) => {
          if (!isLeft) end = beginLooking({ reference, zip, invoiceNumber, claimNumber })
        },
        () => {},
      )
    })
    return () => {
      isLeft = true
      end?.()
    }
  }, [reference, zip, invoiceNumber, claimNumber])
}
