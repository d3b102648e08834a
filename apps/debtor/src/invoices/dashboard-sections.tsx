import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { ListAnswer } from '@kvitt/ui/api.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Pager } from '@kvitt/ui/components/pager.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { CLOSED_STATUSES, invoiceListQuery } from '../debts/list-calls.ts'
import { t } from '../text.ts'
import { PAGE_SIZES } from '../views.ts'
import css from './dashboard-page.module.css'
import { InvoiceList } from './invoice-list.tsx'
import { wasPaid } from './invoice-tags.tsx'

type Listing = UseQueryResult<ListAnswer<InvoiceAnswer>>
type Part = { page: number; limit: number }

/** Where every list begins. */
export const FIRST: Part = { page: 1, limit: 10 }

type InvoiceSectionProps = Part & {
  open: Listing
  onPage: (next: Part) => void
}

/** What is still to be paid, page by page. */
export function InvoiceSection(props: InvoiceSectionProps) {
  const { open, page, limit, onPage } = props
  return (
    <section className={css.section} aria-labelledby="open-invoices">
      <h2 id="open-invoices" className={css.heading}>
        {t('dashboard.open_invoices')}
      </h2>
      {open.data ? (
        open.data.total === 0 ? (
          <div className={css.empty}>
            <p className={css.nothing}>{t('dashboard.no_open_invoices')}</p>
          </div>
        ) : (
          <>
            <InvoiceList invoices={open.data.items} labelledBy="open-invoices" />
            <div className={css.pager}>
              <Pager
                page={page}
                limit={limit}
                total={open.data.total}
                sizes={PAGE_SIZES}
                label={t('dashboard.open_invoices')}
                onChange={onPage}
              />
            </div>
          </>
        )
      ) : open.error ? (
        <ListFailed onRetry={() => void open.refetch()} />
      ) : (
        <Loading />
      )}
    </section>
  )
}

/** How many have been paid; among them some that are over otherwise, or more than can be looked at: how many are closed. */
function countOf({ items, total }: ListAnswer<InvoiceAnswer>): string {
  const n = formatCount(total)
  return total === items.length && items.every(wasPaid) ? n : t('dashboard.closed_count', { n })
}

/** What is paid or closed, collapsed; its number stands beside its name. */
export function PaidSection({ first }: { first: Listing }) {
  const [part, setPart] = useState(FIRST)
  const isFirst = part === FIRST
  const turned = useQuery({
    ...invoiceListQuery({ statuses: CLOSED_STATUSES, ...part }),
    enabled: !isFirst,
  })
  const paid = isFirst ? first : turned
  if (first.data?.total === 0) return null
  return (
    <section className={css.paid} aria-labelledby="paid-invoices">
      <Disclosure
        title={
          <span className={css.paidTitle}>
            <h2 id="paid-invoices">{t('dashboard.paid_invoices')}</h2>
            <span className={css.count}>{first.data && countOf(first.data)}</span>
          </span>
        }
      >
        <div className={css.paidList}>
          {paid.data ? (
            <>
              <InvoiceList invoices={paid.data.items} labelledBy="paid-invoices" />
              <div className={css.pager}>
                <Pager
                  {...part}
                  total={paid.data.total}
                  sizes={PAGE_SIZES}
                  label={t('dashboard.paid_invoices')}
                  onChange={setPart}
                />
              </div>
            </>
          ) : paid.error ? (
            <ListFailed onRetry={() => void paid.refetch()} />
          ) : (
            <Loading />
          )}
        </div>
      </Disclosure>
    </section>
  )
}

export function ListFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={css.inner}>
      <MessageBox tone="bad" role="alert" heading={t('dashboard.failed')}>
        <p>{t('dashboard.failed_text')}</p>
        <Button look="text" onClick={onRetry}>
          {t('login.retry')}
        </Button>
      </MessageBox>
    </div>
  )
}

function Loading() {
  return (
    <div className={css.loading} aria-busy="true">
      <Skeleton height={3.5} />
      <Skeleton height={3.5} />
      <Skeleton height={3.5} />
    </div>
  )
}
