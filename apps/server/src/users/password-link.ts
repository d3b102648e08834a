/** The address at which a password is chosen, with what proves that somebody may. */
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'

/** Whose portal somebody works in: a creditor's, or the operator's. */
export type StaffPortal = 'client' | 'admin'

/** Where staff reaches an instance: scheme, host and port. */
function staffOrigin({ config }: Pick<Context, 'config'>, instance: Instance, portal: StaffPortal): string {
  return instance.isDefault ? config.publicUrl : `https://${portal}.${instance.host}`
}

/** The page of a portal of staff, with a slash at its end. */
export function staffPortalOf(
  context: Pick<Context, 'config'>,
  instance: Instance,
  portal: StaffPortal,
): string {
  return `${staffOrigin(context, instance, portal)}${instance.isDefault ? `/${portal}/` : '/'}`
}

export const clientPortalOf = (context: Pick<Context, 'config'>, instance: Instance): string =>
  staffPortalOf(context, instance, 'client')

export function passwordPageOf(
  context: Pick<Context, 'config'>,
  instance: Instance,
  { token, portal }: { readonly token: string; readonly portal: StaffPortal },
): string {
  return `${staffOrigin(context, instance, portal)}/oidc/invitation/${token}`
}
