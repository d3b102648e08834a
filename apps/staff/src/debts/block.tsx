import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import type { ReactNode } from 'react'
import { t } from '../text.ts'
import css from './block.module.css'

/** As much of a query as a block looks at. */
type Found<Data> = {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
}

type BlockProps<Data> = { title: string; found: Found<Data>; children: (data: Data) => ReactNode }

/** A part of a page with a heading: it waits and fails by itself, and the rest of the page works. */
export function Block<Data>({ title, found, children }: BlockProps<Data>) {
  const { data, error } = found
  return (
    <section className={css.block} aria-label={title}>
      <h2>{title}</h2>
      {data !== undefined && children(data)}
      {data === undefined && error && <BlockFailed error={error} onRetry={() => void found.refetch()} />}
      {data === undefined && !error && (
        <div role="status" aria-label={t('list.loading')}>
          <Skeleton height={3} />
        </div>
      )}
    </section>
  )
}
