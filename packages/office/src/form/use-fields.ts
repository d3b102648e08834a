/**
 * The fields of a form with the rules of specification section 5: checked when a field is left and when the form is sent; a
 * message stands for four seconds and again while the field has the focus, and the field stays marked until it is mended.
 */
import { checkField, type FieldType } from '@kvitt/domain/form/field-rules.ts'
import { useEffect, useRef, useState } from 'react'
import { SHOWN_MS } from '../messages/messages.ts'
import { t } from '../text.ts'

export type FieldSpec = {
  readonly type: FieldType
  readonly mandatory?: boolean
  /** Of the country field beside it, else of the locale; for zip and identification number. */
  readonly country?: string
  /** A rule of this form on top; answers what is wrong. */
  readonly check?: (value: string) => string | undefined
}
export type FieldSpecs = Readonly<Record<string, FieldSpec>>

export type FieldProps = {
  readonly name: string
  readonly value: string
  readonly fault: string | undefined
  readonly isFaultShown: boolean
  readonly onValue: (value: string) => void
  readonly onLeave: () => void
  readonly onEnter: () => void
}

type FieldMessages = Parameters<typeof t>[0]

/** What is wrong with a value, in the words of the page; undefined when it may stand. */
export function faultOf(spec: FieldSpec, value: string, isInitialBlur = false): string | undefined {
  const { type, mandatory = false, country = 'SE', check } = spec
  const error = checkField(type, value, { mandatory, country, isInitialBlur })
  if (error) return t(`field.${error.key}` as FieldMessages, { ...error.params })
  return value.trim() === '' ? undefined : check?.(value)
}

export type Fields = {
  readonly values: Readonly<Record<string, string>>
  readonly propsOf: (name: string) => FieldProps
  readonly set: (name: string, value: string) => void
  /** Checks all of them and leads to the first that is wrong; true when all may stand. */
  readonly check: () => boolean
  /** What the server says of fields, by name. */
  readonly refuse: (faults: Readonly<Record<string, string>>) => void
}

export function useFields(specs: FieldSpecs, initial: Readonly<Record<string, string>> = {}): Fields {
  const [values, setValues] = useState(initial)
  const [faults, setFaults] = useState<Readonly<Record<string, string | undefined>>>({})
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const left = useRef(new Set<string>())
  /** What the server refused, and of which value: it stands until that becomes another. */
  const refused = useRef(new Map<string, { readonly value: string; readonly fault: string }>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (names: readonly string[]) => {
    setShown(new Set(names))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setShown(new Set()), SHOWN_MS)
  }
  const valueOf = (name: string): string => values[name] ?? ''
  const mark = (found: Readonly<Record<string, string | undefined>>) => {
    setFaults(found)
    const names = Object.keys(found).filter((name) => found[name] !== undefined)
    show(names)
    const first = Object.keys(specs).find((name) => names.includes(name))
    if (first) requestAnimationFrame(() => document.getElementsByName(first)[0]?.focus())
    return names.length === 0
  }
  return {
    values,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }))
      setFaults((before) => ({ ...before, [name]: undefined }))
    },
    check: () =>
      mark(
        Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, faultOf(spec, valueOf(name))])),
      ),
    refuse: (found) => {
      for (const [name, fault] of Object.entries(found))
        refused.current.set(name, { value: valueOf(name), fault })
      mark(found)
    },
    propsOf: (name) => ({
      name,
      value: valueOf(name),
      fault: faults[name],
      isFaultShown: shown.has(name),
      onValue: (value) => {
        setValues((before) => ({ ...before, [name]: value }))
        if (faults[name] !== undefined) setFaults((before) => ({ ...before, [name]: undefined }))
      },
      onEnter: () => setShown((before) => new Set([...before, name])),
      onLeave: () => {
        const spec = specs[name]
        if (!spec) return
        const of = refused.current.get(name)
        const own = faultOf(spec, valueOf(name), !left.current.has(name))
        const fault = own ?? (of?.value === valueOf(name) ? of.fault : undefined)
        left.current.add(name)
        setFaults((before) => ({ ...before, [name]: fault }))
        if (fault !== undefined) show([name])
      },
    }),
  }
}
