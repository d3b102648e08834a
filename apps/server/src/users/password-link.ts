/** The address at which a password is chosen, with what proves that somebody may. */
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'

/** Where a creditor's staff reaches an instance: scheme, host and port. */
function staffOrigin({ config }: Pick<Context, 'config'>, instance: Instance): string {
  return instance.isDefault ? config.publicUrl : `https://client.${instance.host}`
}

/** The page of the creditors' portal, with a slash at its end. */
export function clientPortalOf(context: Pick<Context, 'config'>, instance: Instance): string {
  return `${staffOrigin(context, instance)}${instance.isDefault ? '/client/' : '/'}`
}

export function passwordPageOf(context: Pick<Context, 'config'>, instance: Instance, token: string): string {
  return `${staffOrigin(context, instance)}/oidc/invitation/${token}`
}
