/** The cast's staff at their desks: each act of a person goes through the product's own calls, as that person. */
import type { Context } from '../../context.ts'
import type { Instance } from '../../instances/instances.ts'
import { beginStaffSession } from '../../staff/staff.ts'
import type { FirmStage } from './firm-day.ts'
import { findMember } from './firm.queries.ts'

/** A call of the product without a network between. `path` begins with a slash. */
export type AskProduct = (
  method: string,
  path: string,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly payload?: string | Buffer },
) => Promise<{ readonly status: number; readonly text: string }>

export type Desk = {
  /**
   * What `who` (the part of the address before @) does: `call` such as `POST /admin/payouts`. Answers the body. The same `key` does
   * it once. Throws when it is refused, but for the codes of `orElse`, of which it answers undefined.
   */
  does<Answer>(who: string, call: string, wish?: Wish): Promise<Answer>
  tries<Answer>(
    who: string,
    call: string,
    wish: Wish & { readonly orElse: string },
  ): Promise<Answer | undefined>
}

/** The last of the firm's days, with its people at work. */
export type Today = FirmStage & { readonly desk: Desk }

type Wish = {
  readonly body?: object
  /** Sent as the field `file` of a form. */
  readonly file?: { readonly name: string; readonly text: string }
  readonly key?: string
}

const BOUNDARY = 'kvitt-demo-firm'

function payloadOf({ body, file }: Wish): { type?: string; payload?: string | Buffer } {
  if (body) return { type: 'application/json', payload: JSON.stringify(body) }
  if (!file) return {}
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: text/csv\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    payload: Buffer.from(`${head}${file.text}\r\n--${BOUNDARY}--\r\n`),
  }
}

export function openDesk(context: Context, instance: Instance, ask: AskProduct): Desk {
  const tokens = new Map<string, string>()
  const tokenOf = async (who: string): Promise<string> => {
    const known = tokens.get(who)
    if (known) return known
    const member = await findMember(context.db, instance.id, `${who}@kvitt.example`)
    if (!member) throw new Error(`the demo has no ${who}`)
    const { token } = await context.db.transaction((tx) =>
      beginStaffSession(tx, context, { instanceId: instance.id, id: member.membership_id }),
    )
    tokens.set(who, token)
    return token
  }
  const call = async (who: string, what: string, wish: Wish) => {
    const [method = '', path = ''] = what.split(' ')
    const { type, payload } = payloadOf(wish)
    return ask(method, `/api${path}`, {
      headers: {
        host: 'localhost',
        authorization: `Bearer ${await tokenOf(who)}`,
        ...(type ? { 'content-type': type } : {}),
        ...(wish.key === undefined ? {} : { 'idempotency-key': wish.key }),
      },
      ...(payload === undefined ? {} : { payload }),
    })
  }
  const read = (text: string): unknown => JSON.parse(text === '' ? 'null' : text)
  return {
    async does<Answer>(who: string, what: string, wish: Wish = {}) {
      const { status, text } = await call(who, what, wish)
      if (status >= 300) throw new Error(`${who}: ${what} was answered ${status}: ${text}`)
      return read(text) as Answer
    },
    async tries<Answer>(who: string, what: string, { orElse, ...wish }: Wish & { readonly orElse: string }) {
      const { status, text } = await call(who, what, wish)
      if (status >= 300 && (read(text) as { code?: string }).code === orElse) return undefined
      if (status >= 300) throw new Error(`${who}: ${what} was answered ${status}: ${text}`)
      return read(text) as Answer
    },
  }
}
