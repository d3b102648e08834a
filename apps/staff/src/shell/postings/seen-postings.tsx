import { failureText } from '@kvitt/office/calls.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import type { UseQueryResult } from '@tanstack/react-query'
import { Postings, type Preview } from './postings.tsx'

/** What an act would write in the books, or why it cannot be done. */
export function SeenPostings({ preview, currency }: { preview: UseQueryResult<Preview>; currency: string }) {
  if (preview.isError) return <MessageBox tone="bad">{failureText(preview.error)}</MessageBox>
  return preview.data ? <Postings preview={preview.data} currency={currency} /> : null
}
