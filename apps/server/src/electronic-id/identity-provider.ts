/** What is asked of an identity provider: who holds this browser. */
import type { Tried } from '@kvitt/domain/instances/credential.ts'
import type { Seen } from '../platform/counterparties/circuit-breaker.ts'

export type OrderStart = {
  /** The alias of the provider whose page asks: it may be known to the electronic ID by a name of its own. */
  readonly tenant: string
  /** The debtor's address as the outermost trusted proxy saw it, without a port. */
  readonly address: string
  /** Shown in the app: who asks, and what for. Plain text. */
  readonly intent: string
  /** The host of the page, and what the browser calls itself. */
  readonly host: string
  readonly userAgent: string | undefined
  /** Something that tells this browser from others and names nobody. */
  readonly device: string
}

export type StartedOrder = {
  readonly orderRef: string
  readonly autoStartToken: string
  readonly qrStartToken: string
  /** Never leaves the server. */
  readonly qrStartSecret: string
}

/** An order, and who started it: nobody else can ask for it. */
export type OrderName = { readonly tenant: string; readonly orderRef: string }

export type CollectedOrder =
  | { readonly status: 'pending' | 'failed'; readonly hintCode: string | null }
  | {
      readonly status: 'complete'
      readonly personalNumber: string
      /** The address that the app was seen at; undefined when the provider does not say. */
      readonly appAddress: string | undefined
    }

export type IdentityProvider = {
  /** The code by which portals know it (D-19). */
  readonly code: 'BANKID'
  /** What its last calls say of it. */
  seen(): Seen
  startOrder(start: OrderStart): Promise<StartedOrder>
  collectOrder(order: OrderName): Promise<CollectedOrder>
  cancelOrder(order: OrderName): Promise<void>
  /** Whether the other side knows the provider of this alias by what it shows. Makes nothing. */
  tryOut(tenant: string): Promise<Tried>
}

/** No answer, or one that says: not now. Whether anything happened is not known. */
export class IdentityUnavailable extends Error {}

/** The provider says no; `code` is its own word for why. */
export class IdentityRefused extends Error {
  readonly code: string
  constructor(code: string) {
    super(`the identity provider answered ${code}`)
    this.code = code
  }
}

declare module '../context.ts' {
  interface Context {
    /** The electronic ID; undefined where logging in with it is not offered. */
    readonly identityProvider: IdentityProvider | undefined
  }
}
