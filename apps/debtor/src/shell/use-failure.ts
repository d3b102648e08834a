import { ApiRefusal } from '@kvitt/ui/api.ts'
import { useState } from 'react'
import { isBackFromPaying } from '../views.ts'

/** The failure of what a page asked for, until there is an answer: also while it is asked for again. */
export function useFailure({ error, isSuccess }: { error: Error | null; isSuccess: boolean }): Error | null {
  const [last, setLast] = useState<Error | null>(null)
  const failure = isSuccess ? null : (error ?? last)
  if (failure !== last) setLast(failure)
  return failure
}

/** Has the server said how it is? Its faults tell nothing to whoever has paid: that is not known yet. */
export function isAnswered(failure: Error): failure is ApiRefusal {
  return failure instanceof ApiRefusal && !(failure.status >= 500 && isBackFromPaying())
}

/** Has the server said no, and why? Else no answer came. */
export const isRefused = (failure: unknown): boolean => Boolean((failure as Partial<ApiRefusal>).code)
