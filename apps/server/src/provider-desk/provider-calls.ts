/** The calls about the provider itself, beside the use cases that answer them. */
import * as credential from '@kvitt/domain/instances/credential.contract.ts'
import * as contract from '@kvitt/domain/instances/instance-provider.contract.ts'
import * as onboarding from '@kvitt/domain/instances/onboarding.contract.ts'
import * as issuer from '@kvitt/domain/staff/issuer.contract.ts'
import { listServiceProviders } from '@kvitt/domain/instances/service-provider.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { Replayed } from '../platform/http/replayed.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import { proposeIssuer, showIssuer, tryIssuer } from '../issuers/issuers.ts'
import { presentProposal } from '../proposals/proposals.ts'
import { askedBy } from '../staff/staff.ts'
import {
  enterOwnCredential,
  removeOwnCredential,
  showCredentials,
  tryOwnCredential,
} from './credential-desk.ts'
import { makeNewProvider, presentMade } from './new-provider.ts'
import { removeOwnPicture, sendOwnPicture } from './pictures.ts'
import { changeOwnProvider, findProvider, presentProvider } from './provider-desk.ts'
import { showOnboarding } from './onboarding.ts'
import { showWays } from './service-providers.ts'
import { searchProviderRows } from './provider-list.queries.ts'

export const PROVIDER_BINDINGS: readonly Binding[] = [
  bind(listServiceProviders, showWays),
  bind(contract.searchInstanceProviders, ({ context, principal, query, body }) =>
    searchProviderRows(context, principal, query, body),
  ),
  bind(contract.makeInstanceProvider, async ({ context, principal, body, request }) => {
    const asked = askedBy(request, 'makeInstanceProvider', null, body)
    const { id, isReplayed } = await makeNewProvider(context, principal, asked, body)
    const made = await presentMade(context, id, body)
    return isReplayed ? new Replayed(made) : made
  }),
  bindSharedRow(contract.getInstanceProvider, findProvider, async ({ row }) => presentProvider(row)),
  bindSharedRow(contract.changeInstanceProvider, findProvider, ({ context, principal, row, body }) =>
    changeOwnProvider(context, principal, { own: row, written: body }),
  ),
  bindSharedRow(contract.sendPicture, findProvider, async ({ receive, ...asked }) =>
    sendOwnPicture(asked, await receive()),
  ),
  bindSharedRow(contract.removePicture, findProvider, ({ body, ...asked }) => removeOwnPicture(asked, body)),
  bindSharedRow(onboarding.getOnboarding, findProvider, showOnboarding),
  bindSharedRow(credential.listCredentials, findProvider, showCredentials),
  bindSharedRow(credential.enterCredential, findProvider, ({ body, ...asked }) =>
    enterOwnCredential(asked, body),
  ),
  bindSharedRow(credential.removeCredential, findProvider, ({ body, ...asked }) =>
    removeOwnCredential(asked, body),
  ),
  bindSharedRow(credential.tryCredential, findProvider, ({ body, ...asked }) =>
    tryOwnCredential(asked, body.kind),
  ),
  bindSharedRow(issuer.getSignInIssuer, findProvider, ({ context, principal }) =>
    showIssuer(context, principal),
  ),
  bindSharedRow(
    issuer.proposeSignInIssuer,
    findProvider,
    async ({ context, principal, row, body, request }) => {
      // A secret is kept nowhere else than encrypted, not even as a part of a hash.
      const { secret, ...told } = body
      const asked = askedBy(request, 'signInIssuer', row.id, { ...told, hasSecret: secret !== undefined })
      const { id, isReplayed } = await proposeIssuer(context, principal, { asked, body })
      const answer = await presentProposal(context, principal, id)
      return isReplayed ? new Replayed(answer) : answer
    },
  ),
  bindSharedRow(issuer.trySignInIssuer, findProvider, ({ context, principal, body }) =>
    tryIssuer(context, principal, body),
  ),
]
