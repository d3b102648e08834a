import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { useState } from 'react'
import { api, queries } from '../calls.ts'
import { claimQuery } from '../shell/debt-calls.ts'
import type { DebtKey } from '../session.ts'
import { saveFile } from '../shell/save-file.ts'
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
      <Button look="text" icon="download" onClick={download}>
        {t('claim.download')}
      </Button>
      {isMissing && <p role="alert">{t('claim.document_missing')}</p>}
    </>
  )
}
