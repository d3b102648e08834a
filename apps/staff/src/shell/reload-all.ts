import { queries } from '../calls.ts'

/** What was done stands in lists, figures and tasks too: everything but who is signed in is asked for again. */
export const reloadAll = (): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
