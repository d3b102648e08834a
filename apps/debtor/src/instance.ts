/** The branded provider of this page: written into it by the server, so that no call is needed. */
import type { InstanceAnswer } from '@kvitt/domain/instances/instance.contract.ts'
import { createContext, useContext } from 'react'

/** The provider, or undefined when it could not be loaded; every screen works without branding. */
export const InstanceContext = createContext<InstanceAnswer | undefined>(undefined)

export function useInstance(): InstanceAnswer | undefined {
  return useContext(InstanceContext)
}

/** Reads the provider from the page; asks the API when the page was served without it. Never throws. */
export async function loadInstance(language: string): Promise<InstanceAnswer | undefined> {
  const written = document.getElementById('kvitt-instance')?.textContent
  if (written) return JSON.parse(written) as InstanceAnswer
  try {
    const response = await fetch('/api/instance-providers/default', {
      headers: { 'Accept-Language': language },
    })
    return response.ok ? ((await response.json()) as InstanceAnswer) : undefined
  } catch {
    return undefined
  }
}

/** Where a stored file of this name is fetched. */
export function storageUrl(name: string): string {
  return `/api/storage/${encodeURIComponent(name)}`
}
