import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ReactNode } from 'react'
import { queries } from './calls.ts'
import { InstanceContext, type PageInstance } from './instance.ts'

/** What every page of the portal stands in: its calls and its provider. */
export function Surroundings(props: { instance: PageInstance | undefined; children: ReactNode }) {
  return (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <InstanceContext value={props.instance}>{props.children}</InstanceContext>
      </QueryClientProvider>
    </StrictMode>
  )
}
