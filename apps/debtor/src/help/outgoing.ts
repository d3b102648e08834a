/** Files on their way to an open dispute or conversation: chosen, checked as the server will check them, sent one after the other. */
import {
  LARGEST_FILE,
  MOST_FILES,
  MOST_PIXELS,
  readFileType,
  type FileFault,
} from '@kvitt/domain/disputes/dispute-file.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { carryForm } from '@kvitt/ui/carry-form.ts'
import { useEffect, useRef, useState } from 'react'
import { api, debtCall } from '../calls.ts'
import type { DebtKey } from '../session.ts'
import { t, type MessageId } from '../text.ts'

export type Outgoing = {
  readonly id: string
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'failed' | 'sent'
  /** How much of it is on its way, from 0 to 1. */
  readonly share: number
  /** Why it could not be sent. */
  readonly why?: string
}

/** What the sentences about files name. */
export const FILE_LIMITS = {
  files: MOST_FILES,
  megabytes: LARGEST_FILE / 1024 / 1024,
  megapixels: MOST_PIXELS / 1_000_000,
}

const FAULTS: Readonly<Record<FileFault | 'many', MessageId>> = {
  empty: 'files.empty',
  kind: 'files.kind',
  large: 'files.large',
  pixels: 'files.pixels',
  many: 'files.many',
}

async function faultOf(file: File): Promise<FileFault | undefined> {
  if (file.size > LARGEST_FILE) return 'large'
  const read = readFileType(new Uint8Array(await file.arrayBuffer()))
  return 'fault' in read ? read.fault : undefined
}

/** The same file of the same folder, as far as a browser tells. */
const idOf = ({ name, size, lastModified }: File): string => `${name}/${size}/${lastModified}`

/** Puts one file where it belongs. */
export type SendFile = (file: File, signal: AbortSignal, onShare: (share: number) => void) => Promise<void>

function formOf(file: File): FormData {
  const body = new FormData()
  body.append('file', file)
  return body
}

/** To the open dispute of a debt. */
export const sendToDispute =
  (key: DebtKey): SendFile =>
  async (file, signal, onShare) => {
    const sent = { body: formOf(file), signal, carrier: carryForm(onShare) }
    await api.ask(debtCall('PUT', key, '/dispute/files'), sent)
  }

/** To an open conversation about a debt. */
export const sendToConversation =
  (key: DebtKey, conversation: string): SendFile =>
  async (file, signal, onShare) => {
    const sent = { body: formOf(file), signal, carrier: carryForm(onShare) }
    await api.ask(debtCall('PUT', key, '/conversations/files', { conversation }), sent)
  }

function whyOf(error: unknown): string {
  return error instanceof ApiRefusal && error.code ? error.message : t('files.no_answer')
}

type Start = {
  /** Chosen before. */
  readonly chosen?: readonly Outgoing[] | undefined
  /** How many have been sent before. */
  readonly taken?: number
  /** Waited for after each that has arrived; it is off the list then. */
  readonly onSent?: (file: File) => Promise<void>
}

/** The files that somebody is about to send. What may not be sent is not taken up; `refused` says why. */
export function useOutgoing({ chosen = [], taken = 0, onSent }: Start) {
  const [files, setFiles] = useState(chosen)
  const [refused, setRefused] = useState<readonly string[]>([])
  const now = useRef(files)
  const leaving = useRef(new AbortController())
  const isSending = useRef(false)
  useEffect(() => {
    const left = new AbortController()
    leaving.current = left
    return () => left.abort()
  }, [])

  const change = (next: readonly Outgoing[]) => {
    now.current = next
    setFiles(next)
  }
  const note = (id: string, news: Partial<Outgoing>) =>
    change(now.current.map((file) => (file.id === id ? { ...file, ...news } : file)))

  const add = async (added: readonly File[]) => {
    const whys: string[] = []
    for (const file of added) {
      const id = idOf(file)
      if (now.current.some((known) => known.id === id)) continue
      const fault = await faultOf(file).catch((): FileFault => 'kind')
      const isFull = now.current.length + taken >= MOST_FILES
      const obstacle = isFull ? 'many' : fault
      if (obstacle) {
        whys.push(t('files.not_added', { name: file.name, why: t(FAULTS[obstacle], FILE_LIMITS) }))
      } else change([...now.current, { id, file, state: 'waiting', share: 0 }])
    }
    setRefused(whys)
  }
  const remove = (id: string) => change(now.current.filter((file) => file.id !== id))

  /** Sends what waits by `sendFile`; answers whether everything has arrived. */
  const send = async (sendFile: SendFile): Promise<boolean> => {
    const { signal } = leaving.current
    while (!isSending.current && !signal.aborted) {
      const next = now.current.find(({ state }) => state === 'waiting')
      if (!next) break
      isSending.current = true
      note(next.id, { state: 'sending', share: 0 })
      try {
        await sendFile(next.file, signal, (share) => note(next.id, { share }))
        note(next.id, { state: 'sent', share: 1 })
        await onSent?.(next.file)
        if (onSent) remove(next.id)
      } catch (error) {
        note(next.id, { state: 'failed', why: whyOf(error) })
      }
      isSending.current = false
    }
    return now.current.every(({ state }) => state === 'sent')
  }
  const sendAgain = (sendFile: SendFile) => {
    change(now.current.map((file) => (file.state === 'failed' ? { ...file, state: 'waiting' } : file)))
    return send(sendFile)
  }
  return { files, refused, add, remove, send, sendAgain }
}

export type OutgoingFiles = ReturnType<typeof useOutgoing>
