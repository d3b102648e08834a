/** A portal of staff: one page with a provider's brand; everything else stands behind its hash. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PortalName } from '@kvitt/domain/instances/portals.ts'
import type { Tenant } from '../http/call.ts'
import { StartupError } from '../startup-error.ts'
import { brandHead, leadsBehindHash, type Branding } from './debtor-portal.ts'
import { pagePolicy } from './page-policy.ts'
import { redirect, sendPage, type Portal } from './portals.ts'

/** As much of a provider as staff see before they sign in. Nothing of others runs in a page of staff. */
export type StaffBranding = Pick<Branding, 'name' | 'language' | 'favicon' | 'variables' | 'answer'>

const NOBODY = { chatHosts: [], isChatInPage: false, receivers: [] }

/** The portal as it was built in `folder`. Throws StartupError when it is not built. */
export function openStaffPortal(
  name: PortalName,
  folder: string,
  brandingOf: (tenant: Tenant) => StaffBranding,
): Portal {
  const indexFile = join(folder, 'index.html')
  if (!existsSync(indexFile)) {
    throw new StartupError(
      `The ${name} portal is not built. Run "npm run build" first, or "npm start", which does it.`,
    )
  }
  const template = readFileSync(indexFile, 'utf8')
  return {
    name,
    folder,
    answer: ({ request, tenant, base, path }, reply) => {
      if (path === '') {
        const branding = brandingOf(tenant)
        const nonce = randomBytes(16).toString('base64')
        const html = template
          .replace('<!--kvitt:head-->', () => brandHead(branding))
          .replace(/<html lang="[a-z]+">/, `<html lang="${branding.language}">`)
          .replaceAll('__NONCE__', nonce)
        return sendPage(request, reply, { html, policy: pagePolicy(nonce, NOBODY) })
      }
      return leadsBehindHash(path) ? redirect(reply, `${base}/#${request.url.slice(base.length)}`) : undefined
    },
  }
}
