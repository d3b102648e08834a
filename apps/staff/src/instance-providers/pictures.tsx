import { PICTURES, type Picture } from '@kvitt/domain/instances/pictures.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { t } from '../text.ts'
import css from './pictures.module.css'
import page from './instance-provider-page.module.css'
import { removePicture, sendPicture, type Provider, type TakenOut } from './provider-calls.ts'

/** The pictures of the brand, each on the two grounds that debtors see it on; a chosen one before it is kept. */
export function Pictures({ provider }: { provider: Provider }) {
  return (
    <section className={page.section} id="look">
      <h2>{t('picture.title')}</h2>
      <p className={page.quiet}>{t('picture.intro')}</p>
      {PICTURES.map((picture) => (
        <PictureOf key={picture} picture={picture} provider={provider} />
      ))}
    </section>
  )
}

type Chosen = { readonly file: File; readonly address: string }

/** A file that was chosen, and where the browser has it; let go of with the next. */
function useChosen(): readonly [Chosen | undefined, (file: File | undefined) => void] {
  const [chosen, setChosen] = useState<Chosen>()
  useEffect(
    () => () => {
      if (chosen) URL.revokeObjectURL(chosen.address)
    },
    [chosen],
  )
  return [chosen, (file) => setChosen(file && { file, address: URL.createObjectURL(file) })]
}

function PictureOf({ picture, provider }: { picture: Picture; provider: Provider }) {
  const [chosen, choose] = useChosen()
  const file = chosen?.file
  const name = provider.fileInformation[picture]
  const shown = chosen?.address ?? (name === null ? undefined : `/api/storage/${encodeURIComponent(name)}`)
  const send = useMutation({
    mutationFn: (of: File) => sendPicture(provider, picture, of),
    meta: { done: t('picture.saved'), isSilent: true },
    onSuccess: () => choose(undefined),
  })
  const remove = useMutation({
    mutationFn: () => removePicture(provider, picture),
    meta: { done: t('picture.removed') },
    onSuccess: () => send.reset(),
  })
  return (
    <div className={css.picture}>
      <h3>{t(`picture.${picture}`)}</h3>
      <div className={css.grounds} data-picture={picture}>
        <Ground of="light" address={shown} />
        <Ground of="dark" address={shown} />
      </div>
      {file && (
        <p className={page.quiet}>
          {file.name} · {t('picture.not_saved')}
        </p>
      )}
      <div className={page.acts}>
        <label className={css.choose}>
          <input
            type="file"
            className="spoken"
            accept=".svg,.png,.jpg,.jpeg,.webp"
            aria-label={`${t(`picture.${picture}`)}: ${t('picture.choose')}`}
            onChange={({ currentTarget }) => {
              send.reset()
              const [next] = currentTarget.files ?? []
              if (next) choose(next)
              // The same file can be chosen again.
              currentTarget.value = ''
            }}
          />
          {t('picture.choose')}
        </label>
        {file && (
          <>
            <OfficeButton look="primary" isBusy={send.isPending} onClick={() => send.mutate(file)}>
              {t('picture.use')}
            </OfficeButton>
            <OfficeButton onClick={() => choose(undefined)}>{t('picture.drop')}</OfficeButton>
          </>
        )}
        {!file && name !== null && (
          <OfficeButton isBusy={remove.isPending} onClick={() => remove.mutate()}>
            {t('picture.remove')}
          </OfficeButton>
        )}
        <div role="status" className={page.tried}>
          {send.isError && <MessageBox tone="bad">{failureText(send.error)}</MessageBox>}
          {send.data && <MessageBox tone="ok">{takenText(send.data)}</MessageBox>}
        </div>
      </div>
    </div>
  )
}

function Ground({ of, address }: { of: 'light' | 'dark'; address: string | undefined }) {
  const [broken, setBroken] = useState<string>()
  const isShown = address !== undefined && address !== broken
  return (
    <figure className={css.figure}>
      <div className={css.ground} data-ground={of}>
        {isShown ? <img src={address} alt="" onError={() => setBroken(address)} /> : t('picture.none')}
      </div>
      <figcaption>{t(`picture.on_${of}`)}</figcaption>
    </figure>
  )
}

/** What of the file is not in the picture that is kept. */
function takenText(removed: TakenOut): string {
  const parts = (['scripts', 'links', 'others'] as const)
    .filter((sort) => removed[sort] > 0)
    .map((sort) => t(`picture.out.${sort}`, { count: removed[sort] }))
  return parts.length === 0 ? t('picture.nothing_out') : t('picture.taken_out', { what: parts.join(', ') })
}
