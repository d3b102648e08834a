import { date } from '@kvitt/domain/calendar.ts'
import { dueDistance } from '@kvitt/domain/invoices/invoice.ts'
import { Tag } from '@kvitt/ui/components/tag.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { t } from '../text.ts'

/** How far the due date is, today counted. */
export function DueTag({ expireDate, today }: { expireDate: string; today: string }) {
  const { kind, days } = dueDistance(date(expireDate), date(today))
  return kind === 'in' ? (
    <Tag tone="neutral" icon="calendar">
      {t('invoice.due_in_days', { n: formatCount(days) })}
      {/* On the day itself "1 day" alone would be read as tomorrow. */}
      {expireDate === today && ` · ${t('tag.today')}`}
    </Tag>
  ) : (
    <Tag tone="warn" icon="clock">
      {t('invoice.due_for_days', { n: formatCount(days) })}
    </Tag>
  )
}
