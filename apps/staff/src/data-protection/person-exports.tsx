import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import css from './data-protection.module.css'
import { personExportsQuery, saveExport, type PersonExport } from './retention-calls.ts'

/** The copies that one has asked for: what is being made, what can be fetched and until when, and what is kept no longer. */
export function PersonExports({ id }: { id: string }) {
  const may = useRight('export_person')
  const found = useQuery({ ...personExportsQuery(id), enabled: may })
  if (found.isError) return <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data || found.data.exports.length === 0) return null
  return (
    <section className={css.files} aria-labelledby="person-exports">
      <h3 id="person-exports">{t('person_data.exports')}</h3>
      <div role="status">
        <ul className={css.stays}>
          {found.data.exports.map((one) => (
            <li key={one.id} className={css.file}>
              <One made={one} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function One({ made }: { made: PersonExport }) {
  const { format, status, askedAt, until } = made
  const save = useMutation({
    mutationFn: () => saveExport(made, t('person_data.file')),
    meta: { done: t('funds.saved') },
  })
  const what = t('person_data.export_of', { kind: format.toUpperCase(), when: momentText(askedAt) })
  return (
    <>
      <span>
        {what} {t(`person_data.export.${status}`, { when: until === null ? '' : momentText(until) })}
      </span>
      {status === 'READY' && (
        <OfficeButton isBusy={save.isPending} onClick={() => save.mutate()}>
          {t('person_data.fetch')}
          <span className="spoken">{`: ${what}`}</span>
        </OfficeButton>
      )}
    </>
  )
}
