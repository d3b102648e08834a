/** The calls of this portal. */
import { createQueries, createStaffApi } from '@kvitt/office/calls.ts'
import { PORTAL } from './shell/portal.ts'

let signedOut = (): void => {}

/** What is done when the server knows the session no longer. */
export function whenSignedOut(act: () => void): void {
  signedOut = act
}

export const queries = createQueries()
export const api = createStaffApi(PORTAL, () => signedOut())
