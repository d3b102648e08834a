import { Amount } from '@kvitt/ui/values/amount.tsx'
import { ButtonLink } from '@kvitt/ui/components/button-link.tsx'
import { Button } from '@kvitt/ui/components/button.tsx'
import { CopyButton } from '@kvitt/ui/values/copy-value.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { Dotted } from '@kvitt/ui/values/dotted.tsx'
import { FactList } from '@kvitt/ui/values/fact-list.tsx'
import { Flag } from '@kvitt/ui/components/flag.tsx'
import { Icon, ICON_NAMES } from '@kvitt/ui/components/icon.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Pager } from '@kvitt/ui/components/pager.tsx'
import QrCode from '@kvitt/ui/values/qr-code.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { Spinner } from '@kvitt/ui/feedback/spinner.tsx'
import { Tag } from '@kvitt/ui/components/tag.tsx'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { COUNTRIES } from '@kvitt/ui/language/languages.ts'
import { LanguageSwitch } from '@kvitt/ui/shell/language-switch.tsx'
import { useState } from 'react'
import { Group } from './group.tsx'
import css from './lab.module.css'

const LOOKS = ['primary', 'secondary', 'text'] as const
const PAGER = { limit: 10, sizes: [10, 20, 50, 100], label: 'Open invoices', onChange: () => {} }

/** Tags and buttons. */
function Pressed() {
  return (
    <>
      <Group name="Tag">
        <Tag tone="neutral" icon="calendar">
          Due in 15 days
        </Tag>
        <Tag tone="warn" icon="clock">
          Overdue by 12 days
        </Tag>
        <Tag tone="ok" icon="tick">
          Paid
        </Tag>
        <Tag tone="info" icon="flag">
          Disputed
        </Tag>
        <div className={css.tint}>
          <Tag tone="info" icon="pause">
            Paused, on the tint
          </Tag>
        </div>
      </Group>
      {LOOKS.map((look) => (
        <Group key={look} name={`Button, ${look}`}>
          <Button look={look}>Pay 842,00 kr</Button>
          <Button look={look} icon="download">
            With an icon
          </Button>
          <Button look={look} iconAfter="arrow-down">
            With one after
          </Button>
          <Button look={look} busy="Opening">
            Pay 842,00 kr
          </Button>
          <Button look={look} aria-disabled>
            Not yet
          </Button>
          <div className={css.wide}>
            <Button look={look} wide>
              As wide as its place
            </Button>
          </div>
        </Group>
      ))}
      <Group name="ButtonLink">
        <ButtonLink href="#swish">Open Swish</ButtonLink>
        <ButtonLink href="#other" look="secondary" icon="mobile">
          Another way
        </ButtonLink>
      </Group>
    </>
  )
}

/** Amounts, messages and lists. */
function Read() {
  return (
    <>
      <Group name="Amount">
        <Amount minor={84_200} currency="SEK" />
        <Amount minor={0} currency="SEK" rule="ok" />
        <Amount minor={2_279_340} currency="EUR" rule="waiting" />
        <div className={css.tint}>
          <Amount minor={-12_900} currency="DKK" />
        </div>
      </Group>
      <Group name="MessageBox">
        {(['ok', 'info', 'warn', 'bad'] as const).map((tone) => (
          <MessageBox key={tone} tone={tone} heading={`A heading (${tone})`}>
            <p>
              A sentence with <a href="#link">a link</a> in it.
            </p>
          </MessageBox>
        ))}
      </Group>
      <Group name="FactList">
        <div className={`${css.field} ${css.wide}`}>
          <FactList
            facts={[
              { id: 'a', name: 'Invoice amount', value: '399,00 kr' },
              { id: 'b', name: 'Reminder fee, 12 November', value: '60,00 kr' },
              { id: 'c', name: 'Interest', value: '2,30 kr', note: '10,00 % a year on 1 197,00 kr (7 days)' },
              { id: 'd', name: 'More interest', value: '3,00 kr' },
              { id: 'e', name: 'The first days', value: '1,00 kr', isPart: true },
              { id: 'f', name: 'The other days', value: '2,00 kr', isPart: true },
              { id: 'g', name: 'Total due', value: '464,30 kr', isTotal: true },
            ]}
          />
        </div>
      </Group>
      <Group name="Dotted">
        <Dotted parts={['Due 4 December 2026', 'in 15 days']} />
      </Group>
      <Group name="Disclosure">
        <div className={`${css.field} ${css.wide}`}>
          <Disclosure title="A row" icon="document">
            <p>What it opens.</p>
          </Disclosure>
          <Disclosure title="Another row" group="lab">
            <p>One of a group closes the others.</p>
          </Disclosure>
        </div>
        <Disclosure title="A text action" look="text">
          <p>What it opens.</p>
        </Disclosure>
      </Group>
      <Group name="Pager">
        <Pager {...PAGER} page={1} total={6} />
        <Pager {...PAGER} label="Paid invoices" page={2} total={37} />
        <Pager {...PAGER} label="Open claims" page={4} total={37} />
      </Group>
    </>
  )
}

/** What copies, opens and appears, and the signs. */
function Opened() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Group name="CopyButton, LanguageSwitch">
        <CopyButton value="2601 0131 4920" label="Reference number" />
        <LanguageSwitch />
      </Group>
      <Group name="QrCode, Skeleton, Spinner">
        <Spinner />
        <Spinner look="brand" />
        <Spinner look="brand" size="large" />
        <QrCode text="https://example.com/" size={160} label="A code" />
        <div className={css.wide}>
          <Skeleton height={3} />
        </div>
      </Group>
      <Group name="Dialog, Toast">
        <Button look="secondary" onClick={() => setOpen(true)}>
          Open a dialog
        </Button>
        <Button look="secondary" onClick={() => showToast('Copied value')}>
          Show a toast
        </Button>
        <Button look="secondary" onClick={() => showToast('It did not work', true)}>
          Show a failure
        </Button>
      </Group>
      {isOpen && (
        <Dialog
          title="A dialog"
          onClose={() => setOpen(false)}
          actions={<Button onClick={() => setOpen(false)}>Close</Button>}
        >
          <p>Esc, the scrim and the cross close it too.</p>
        </Dialog>
      )}
      <Group name="Icon, Flag">
        {ICON_NAMES.map((name) => (
          <span key={name} className={css.icon}>
            <Icon name={name} />
            {name}
          </span>
        ))}
        {COUNTRIES.map(({ code }) => (
          <span key={code} className={css.icon}>
            <Flag country={code} />
            {code}
          </span>
        ))}
      </Group>
    </>
  )
}

/** What is read, pressed and opened. */
export function Parts() {
  return (
    <>
      <Pressed />
      <Read />
      <Opened />
    </>
  )
}
