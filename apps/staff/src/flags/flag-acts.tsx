import {
  canAnswer,
  FILED_WITH,
  FLAG_ANSWERS,
  isRestingFlag,
  type FiledWith,
  type FlagAnswer,
} from '@kvitt/domain/people/debtor-flag.ts'
import { ActDialog, type ActField, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { useState } from 'react'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import { answerFlag, endFlag, type ListedFlag } from './flag-calls.ts'
import css from './flags.module.css'

type Deed = FlagAnswer | 'END'

type FlagActsProps = {
  flag: Pick<ListedFlag, 'id' | 'kind' | 'from' | 'answer' | 'endedOn'>
  today: string
  onDone?: (() => void) | undefined
}

/** What the operator's people make of a flag: each answer is a dialog of its own. */
export function FlagActs({ flag, today, onDone }: FlagActsProps) {
  const [deed, setDeed] = useState<Deed>()
  const may = useRight('answer_flag')
  const mayStop = useRight('stop')
  const maySeeProtected = useRight('see_protected')
  if (!may || flag.endedOn !== null) return null
  const rests = isRestingFlag(flag.kind)
  if (!rests && !maySeeProtected) return null
  const answers =
    rests && canAnswer(flag.answer) ? FLAG_ANSWERS.filter((one) => one !== 'STOP' || mayStop) : []
  return (
    <div className={css.acts}>
      {answers.map((one) => (
        <OfficeButton key={one} onClick={() => setDeed(one)}>
          {t(`flag.do.${one}`)}
        </OfficeButton>
      ))}
      <OfficeButton onClick={() => setDeed('END')}>{t('flag.end')}</OfficeButton>
      {deed && (
        <ActDialog
          form={deed === 'END' ? endForm(rests) : answerForm(deed, flag.from, today)}
          remedyFor={remedyFor}
          onCommit={({ reason = '', ...values }, key) =>
            deed === 'END' ? endFlag(flag.id, reason, key) : answerFlag(flag.id, bodyOf(deed, values), key)
          }
          onClose={() => setDeed(undefined)}
          onDone={() => {
            setDeed(undefined)
            reloadAll()
            onDone?.()
          }}
        />
      )}
    </div>
  )
}

function bodyOf(answer: FlagAnswer, { filedWith, filedOn, note = '' }: Readonly<Record<string, string>>) {
  const said = { answer, ...(note.trim() === '' ? {} : { note }) }
  return answer === 'FILED' ? { ...said, filedWith: filedWith as FiledWith, filedOn: filedOn ?? '' } : said
}

const LONGEST = 500
const words = (name: string, label: string, isMandatory: boolean): ActField => ({
  name,
  type: 'text',
  look: 'area',
  label,
  mandatory: isMandatory,
  check: (value) => (value.length > LONGEST ? t('field.tooLongValidError', { max: LONGEST }) : undefined),
})

function answerForm(answer: FlagAnswer, from: string, today: string): ActForm {
  const filed: readonly ActField[] = [
    {
      name: 'filedWith',
      type: 'text',
      look: 'choice',
      label: t('flag.filed_with'),
      initial: FILED_WITH[0],
      choices: FILED_WITH.map((value) => ({ value, text: t(`flag.with.${value}`) })),
    },
    {
      name: 'filedOn',
      type: 'date',
      look: 'date',
      label: t('flag.filed_on'),
      mandatory: true,
      initial: today,
      min: from,
      max: today,
    },
  ]
  return {
    title: t(`flag.do.${answer}`),
    consequence: t(`flag.${answer}.hint`),
    fields: [...(answer === 'FILED' ? filed : []), words('note', t('flag.note'), false)],
    commit: t(`flag.do.${answer}`),
    isFinal: answer === 'STOP',
    done: t('flag.answer_done'),
  }
}

const endForm = (rests: boolean): ActForm => ({
  title: t('flag.end_title'),
  consequence: t(rests ? 'flag.end_text' : 'protected.end_text'),
  fields: [words('reason', t('act.reason'), true)],
  commit: t('flag.end'),
  done: t('flag.end_done'),
})
