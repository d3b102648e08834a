import { FileField } from '@kvitt/ui/form/file-field.tsx'
import { TextArea } from '@kvitt/ui/form/text-area.tsx'
import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { useState } from 'react'
import { Group } from './group.tsx'
import css from './lab.module.css'

/** What is filled in. */
export function Fields() {
  const [text, setText] = useState('')
  return (
    <>
      <Group name="TextField">
        <div className={css.wide}>
          <TextField label="E-mail" value={text} onChange={(event) => setText(event.currentTarget.value)} />
        </div>
        <div className={css.wide}>
          <TextField label="Payment reference" hint="Digits only" defaultValue="2601 0131 4920" />
        </div>
        <div className={css.wide}>
          <TextField label="Zip code" width="zip" error="Write the zip code" />
        </div>
        <div className={css.wide}>
          <TextField label="Name" defaultValue="Alva Provlund" disabled />
        </div>
      </Group>
      <Group name="TextArea">
        <div className={css.wide}>
          <TextArea
            label="Reason"
            hint="In your own words"
            longest={200}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <div className={css.wide}>
          <TextArea label="Another reason" error="Write a reason" longest={20} value="nearly full" readOnly />
        </div>
      </Group>
      <Group name="FileField">
        <FileField
          label="Files"
          hint="PDF, 10 MB at most"
          choose="Choose files"
          accept={['application/pdf']}
          onChoose={() => {}}
        />
      </Group>
    </>
  )
}
