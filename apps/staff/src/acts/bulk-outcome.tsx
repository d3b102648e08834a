import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queries } from '../calls.ts'
import { t } from '../text.ts'
import { bulkQuery, MOST_NAMED, namesQuery, type Bulk, type BulkResource } from './bulk-calls.ts'
import css from './bulk-outcome.module.css'

type OutcomeProps = { resource: BulkResource; first: Bulk; onClose: () => void }

/** What became of an act for many: how far it is, what was refused and why, each with the way to its row. */
export function BulkOutcome({ resource, first, onClose }: OutcomeProps) {
  const { data: bulk } = useQuery(bulkQuery(first))
  const { done, left, refused, reasons } = bulk
  const named = refused.slice(0, MOST_NAMED).map(({ id }) => id)
  const names = useQuery(namesQuery(resource, named)).data
  const isOver = left === 0
  useEffect(() => {
    if (isOver)
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => !['me', 'bulk'].includes(String(queryKey[0])),
      })
  }, [isOver])
  return (
    <Dialog title={t('bulk.done_title')} onClose={onClose}>
      <p role="status" className={css.count}>
        {isOver && refused.length === 0
          ? t('bulk.all_done', { n: done })
          : [
              t('bulk.done', { n: done }),
              ...(left > 0 ? [t('bulk.left', { n: left })] : []),
              ...(refused.length > 0 ? [t('bulk.refused', { n: refused.length })] : []),
            ].join(' · ')}
      </p>
      {!isOver && (
        <>
          <progress className={css.bar} max={done + left + refused.length} value={done + refused.length} />
          <p>{t('bulk.working')}</p>
        </>
      )}
      {reasons.map(({ code, message }) => {
        const ids = refused.filter((row) => row.code === code).map(({ id }) => id)
        const shown = ids.filter((id) => names?.has(id))
        return (
          <section key={code} className={css.reason}>
            <p>{message}</p>
            <ul>
              {shown.map((id) => (
                <li key={id}>
                  <a
                    href={hashOf({ view: resource === 'invoices' ? 'invoices' : 'claims', id })}
                    onClick={onClose}
                  >
                    {names?.get(id)}
                  </a>
                </li>
              ))}
              {ids.length > shown.length && names && (
                <li>{t('bulk.more', { n: ids.length - shown.length })}</li>
              )}
            </ul>
          </section>
        )
      })}
    </Dialog>
  )
}
