import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { latePage } from '../late-page.tsx'
import { withMoreWords } from '../words.ts'

/** The button for a receipt; most who come here have not paid yet. */
export const ReceiptButton = latePage(() => withMoreWords(import('./receipt-button.tsx')), {
  waiting: <Skeleton height={3} />,
})
