import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { useState } from 'react'
import { api, queries } from '../calls.ts'
import { claimQuery } from '../shell/debt-calls.ts'
import type { DebtKey } from '../session.ts'
import { MissingDocument } from '../shell/missing-document.tsx'
import { saveFile } from '../shell/save-file.ts'
import look from '../shell/text-action.module.css'
import { t } from '../text.ts'

/** Asked for again before it is fetched: the name opens the file for a short time only. */
async function save(key: DebtKey): Promise<void> {
  const { document } = await queries.fetchQuery({ ...claimQuery(key), staleTime: 60_000 })
  if (!document.collection) throw new Error('the claim has no document')
  const { fileName, fileNameRaw } = document.collection
  const file = await api.fetchFile({ path: `storage/${encodeURIComponent(fileName)}`, handleLocally: true })
  saveFile(file, fileNameRaw)
}

/** The newest demand as a file; says in place when it is not there (specification section 8). */
export function ClaimCopyButton({ claimKey, claim }: { claimKey: DebtKey; claim: ClaimAnswer }) {
  const [isMissing, setMissing] = useState(false)
  if (!claim.document.collection) return null
  const download = () => {
    setMissing(false)
    save(claimKey).catch(() => setMissing(true))
  }
  return (
    <>
      <button type="button" className={look.action} onClick={download}>
        <Icon name="download" size={20} />
        {t('claim.download')}
      </button>
      {isMissing && <MissingDocument text="claim.document_missing" />}
    </>
  )
}
