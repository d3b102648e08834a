/** The branded provider of this page: written into it by the server, so that no call is needed. */
import type { InstanceAnswer } from '@kvitt/domain/instances/instance.contract.ts'
import { createContext, useContext } from 'react'

type Files = InstanceAnswer['fileInformation']

/** What is shown of a provider, or decides what is shown. The page has nothing in the place of null. */
type Shown = Pick<InstanceAnswer, 'name' | 'identificationNumber' | 'contactInformation' | 'isProductOwner'> &
  Partial<
    Pick<InstanceAnswer, 'homepage' | 'clientAnalyticsCode' | 'helpdeskChatHtml' | 'serviceTexts' | 'adLinks'>
  > & {
    readonly fileInformation: Partial<
      Pick<
        Files,
        | 'debtorPortalLogotypeFileName'
        | 'debtorPortalBackgroundFileName'
        | 'debtorPortalLoginBackgroundFileName'
      >
    >
  }

/** The provider as the server writes it into the page; `shortName` is the one that fits a bar. */
export type PageInstance = Shown & {
  readonly shortName?: string
  /** What stands before its telephone number abroad, in the place of a leading zero: `+46`. */
  readonly callingCode?: string
  readonly loginProviders?: readonly LoginProvider[]
  /** Where errors are reported; absent when they are not. */
  readonly errorReporting?: { readonly dsn: string }
  /** Which contract the server made this page for. */
  readonly contract?: string
  /** How the chat of `helpdeskChatHtml` is shown, and the hosts that its scripts may come from. */
  readonly chat?: { readonly mode: 'page' | 'frame'; readonly hosts: readonly string[] }
}

/** A way to log in, by its code. */
export type LoginProvider = { readonly code: string; readonly enabled: boolean }

/** The provider, or undefined when it could not be loaded; every screen works without branding. */
export const InstanceContext = createContext<PageInstance | undefined>(undefined)

export function useInstance(): PageInstance | undefined {
  return useContext(InstanceContext)
}

/** Of the provider of this page. Until it is known, a number is dialled as it is written. */
export let callingCode = '$&'

/** Reads the provider from the page; asks the API when the page was served without it. Never throws. */
export async function loadInstance(language: string): Promise<PageInstance | undefined> {
  const written = document.getElementById('kvitt-instance')?.textContent
  if (written) {
    const instance = JSON.parse(written) as PageInstance
    callingCode = instance.callingCode ?? callingCode
    return instance
  }
  try {
    const response = await fetch('/api/instance-providers/default', {
      headers: { 'Accept-Language': language },
    })
    return response.ok ? ((await response.json()) as PageInstance) : undefined
  } catch {
    return undefined
  }
}

/** Where a stored file of this name is fetched. */
export function storageUrl(name: string): string {
  return `/api/storage/${encodeURIComponent(name)}`
}
