import {
  canBeAnswered,
  DATA_ANSWERS,
  type DataAnswer,
  isNo,
  type DataGround,
} from '@kvitt/domain/data-protection/data-request.ts'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { useState } from 'react'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import css from './data-protection.module.css'
import { answerRequest, extendRequest, type DataRequest, type RequestAnswered } from './request-calls.ts'
import { answerForm, extendForm } from './request-forms.ts'

type RequestActsProps = {
  request: DataRequest
  today: string
  onDone?: (() => void) | undefined
}

/** What becomes of a request: each answer, and more time, is a dialog of its own. */
export function RequestActs({ request, today, onDone }: RequestActsProps) {
  const [deed, setDeed] = useState<DataAnswer | 'EXTEND'>()
  const may = useRight('export_person')
  if (!may || request.answer !== null) return null
  const { id, wish, extendedToldOn } = request
  return (
    <div className={css.acts}>
      {DATA_ANSWERS.filter((one) => canBeAnswered(wish, one)).map((one) => (
        <OfficeButton key={one} onClick={() => setDeed(one)}>
          {t(`data_request.do.${one}`)}
        </OfficeButton>
      ))}
      {extendedToldOn === null && (
        <OfficeButton onClick={() => setDeed('EXTEND')}>{t('data_request.extend')}</OfficeButton>
      )}
      {deed && (
        <ActDialog
          form={deed === 'EXTEND' ? extendForm(request, today) : answerForm(deed, request, today)}
          remedyFor={remedyFor}
          onCommit={({ toldOn = '', reason = '', ...values }, key) =>
            deed === 'EXTEND'
              ? extendRequest(id, { toldOn, reason }, key)
              : answerRequest(id, bodyOf(deed, { toldOn, reason, ...values }), key)
          }
          onClose={() => setDeed(undefined)}
          onDone={() => {
            setDeed(undefined)
            reloadAll()
            if (deed !== 'EXTEND') onDone?.()
          }}
        />
      )}
    </div>
  )
}

function bodyOf(
  answer: DataAnswer,
  { toldOn = '', reason = '', ground, wasToldHow }: Readonly<Record<string, string>>,
): RequestAnswered {
  return {
    answer,
    ...(answer === 'WITHDRAWN' ? {} : { toldOn }),
    ...(isNo(answer) ? { ground: ground as DataGround, wasToldHow: wasToldHow === 'yes' } : {}),
    ...(reason.trim() === '' ? {} : { reason }),
  }
}
