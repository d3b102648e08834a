import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ReactNode } from 'react'
import { queries } from './calls.ts'
import { InstanceContext, type PageInstance } from './instance.ts'

/** What every page of the portal stands in: its language, its calls and its provider. */
export function Surroundings(props: { instance: PageInstance | undefined; children: ReactNode }) {
  return (
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queries}>
          <InstanceContext value={props.instance}>{props.children}</InstanceContext>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>
  )
}
