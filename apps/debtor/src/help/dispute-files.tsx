import type { DisputeFileAnswer } from '@kvitt/domain/disputes/dispute.contract.ts'
import { MOST_FILES } from '@kvitt/domain/disputes/dispute-file.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { storedFile } from '@kvitt/ui/api.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries, readDebt } from '../calls.ts'
import { documentsQuery } from '../debts/part-calls.ts'
import type { DebtKey } from '../session.ts'
import card from '../debts/side-card.module.css'
import { isRefused } from '../shell/use-failure.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'
import look from '../shell/text-action.module.css'
import { t } from '../text.ts'
import css from './dispute-files.module.css'
import { FilePicker, fileSizeText } from './file-picker.tsx'
import { FILE_LIMITS, sendToDispute, useOutgoing } from './outgoing.ts'

const sentQuery = (key: DebtKey) => readDebt(key, 'dispute-files', '/dispute/files')

/** As much of a file as a list needs. The documents of an invoice do not tell its size. */
type Sent = Pick<DisputeFileAnswer, 'fileName' | 'fileNameRaw'> & { readonly size?: number }

const FRESH = { staleTime: 60_000 }

async function readSent(key: DebtKey, isOpen: boolean): Promise<readonly Sent[]> {
  if (isOpen) return queries.fetchQuery({ ...sentQuery(key), ...FRESH })
  const documents = await queries.fetchQuery({ ...documentsQuery(key), ...FRESH })
  return documents.filter(({ type }) => type === 'DISPUTE_FILE')
}

type FilesProps = { debtKey: DebtKey; isOpen: boolean }

/** What was sent along with disputes; while one is open, the way to send more. */
export default function DisputeFiles({ debtKey: key, isOpen }: FilesProps) {
  const open = useQuery({ ...sentQuery(key), enabled: isOpen })
  const documents = useQuery({ ...documentsQuery(key), enabled: !isOpen })
  const sent: readonly Sent[] | undefined = isOpen
    ? open.data
    : documents.data?.filter(({ type }) => type === 'DISPUTE_FILE')
  // Where the electronic ID is asked for, or the dispute has just been decided, there is nothing to add to.
  if (!sent) return null
  return (
    <section className={`${card.card} ${css.files}`} aria-labelledby="files-heading">
      {/* Without a file the name of the field says what stands here. */}
      <h2 id="files-heading" className={sent.length === 0 ? 'spoken' : card.heading}>
        {t('files.title')}
      </h2>
      <SentList files={sent} renew={() => readSent(key, isOpen)} />
      {isOpen && <MoreFiles debtKey={key} taken={sent.length} />}
    </section>
  )
}

function MoreFiles({ debtKey: key, taken }: { debtKey: DebtKey; taken: number }) {
  const [arrived, setArrived] = useState('')
  const sendFile = sendToDispute(key)
  const outgoing = useOutgoing({
    taken,
    async onSent({ name }) {
      await queries.invalidateQueries({ queryKey: sentQuery(key).queryKey })
      void queries.invalidateQueries({ queryKey: documentsQuery(key).queryKey })
      setArrived(t('files.arrived', { name }))
    },
  })
  return (
    <>
      {taken < MOST_FILES ? (
        <FilePicker
          label={t('files.more')}
          outgoing={outgoing}
          onChoose={(files) => void outgoing.add(files).then(() => outgoing.send(sendFile))}
        />
      ) : (
        <p className={css.size}>{t('files.many', FILE_LIMITS)}</p>
      )}
      {outgoing.files.some(({ state }) => state === 'failed') && (
        <Button look="text" onClick={() => void outgoing.sendAgain(sendFile)}>
          {t('login.retry')}
        </Button>
      )}
      <p className="spoken" role="status">
        {arrived}
      </p>
    </>
  )
}

type ListProps = { files: readonly Sent[]; renew: () => Promise<readonly Sent[]> }

/** The names open a file for a short time only, so each is asked for again; their order does not change. */
function SentList({ files, renew }: ListProps) {
  const [failure, setFailure] = useState<unknown>()
  const download = async (place: number) => {
    setFailure(undefined)
    try {
      const file = (await renew())[place]
      saveFile(await api.fetchFile(storedFile(file?.fileName ?? '')), file?.fileNameRaw ?? '')
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <>
      {files.length > 0 && (
        <ul className={css.list}>
          {files.map((file, place) => (
            <li key={file.fileName}>
              <button type="button" className={look.row} onClick={() => void download(place)}>
                <Icon name="download" size={20} />
                <span className={css.name}>{file.fileNameRaw}</span>
                {file.size !== undefined && <span className={css.size}>{fileSizeText(file.size)}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      {Boolean(failure) && <p role="alert">{t(isRefused(failure) ? 'files.missing' : 'late.failed')}</p>}
    </>
  )
}
