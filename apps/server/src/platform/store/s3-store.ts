/** Files beside the database in a bucket, by the interface of S3 (AWS, MinIO, Ceph and others): signed calls over Node's own fetch. */
import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { SaxesParser } from 'saxes'
import { StoreUnavailable, type BucketConfig, type Listed, type Store } from './store.ts'

/** Of one call; a letter has some hundred kilobytes. */
const PATIENCE_MS = 10_000
/** What the interface answers at most. */
const PAGE = 1_000

type Answer = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer }
type Call = {
  readonly method: 'GET' | 'PUT' | 'HEAD' | 'DELETE'
  readonly path: string
  readonly query?: string
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export function openBucket(config: BucketConfig, prefix: string, page = PAGE): Store {
  const call = openCall(config)
  const key = (name: string): string => `${prefix}/${name}`
  const get: Store['get'] = async (name) => {
    const answer = await call({ method: 'GET', path: key(name) })
    if (answer.status === 404) return undefined
    return { bytes: answer.bytes, writtenAtMs: Date.parse(answer.headers.get('last-modified') ?? '') }
  }
  const has = async (name: string, bytes: Uint8Array): Promise<boolean> =>
    Buffer.compare((await get(name))?.bytes ?? Buffer.alloc(0), bytes) === 0
  const remove: Store['remove'] = async (name) => void (await call({ method: 'DELETE', path: key(name) }))
  const put: Store['put'] = async (name, bytes) => {
    const checksum = createHash('sha256').update(bytes).digest('base64')
    const headers = { 'if-none-match': '*', 'x-amz-checksum-sha256': checksum }
    const answer = await call({ method: 'PUT', path: key(name), bytes, headers })
    // There already: of a try whose answer was lost, or another's.
    if (answer.status === 412 || answer.status === 409) return has(name, bytes)
    if (answer.headers.get('x-amz-checksum-sha256') === checksum || (await has(name, bytes))) return true
    await remove(name)
    throw new StoreUnavailable(`The bucket ${config.bucket} keeps other bytes than it is given.`, 'checksum')
  }
  return {
    place: `${config.endpoint}/${config.bucket}/${prefix}`,
    put,
    get,
    has: async (name) => (await call({ method: 'HEAD', path: key(name) })).status === 200,
    list: (under) => listBucket(call, under === '' ? `${prefix}/` : `${prefix}/${under}/`, page),
    async move(from, to) {
      const found = await get(from)
      if (!found) return
      await put(to, found.bytes)
      await remove(from)
    },
    remove,
  }
}

function openCall(config: BucketConfig): (call: Call) => Promise<Answer> {
  const { endpoint, region, bucket, isPathStyle } = config
  const client = new AwsClient({
    accessKeyId: config.accessKey,
    secretAccessKey: config.secretKey,
    region,
    service: 's3',
    retries: 0,
  })
  const url = new URL(endpoint)
  if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`
  const base = `${url.origin}${url.pathname.replace(/\/$/, '')}${isPathStyle ? `/${bucket}` : ''}`
  return async ({ method, path, query = '', bytes, headers }) => {
    const hash = createHash('sha256')
      .update(bytes ?? '')
      .digest('hex')
    let answer: Answer
    try {
      const response = await client.fetch(`${base}/${path}${query}`, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': hash },
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(bytes ? { body: Buffer.from(bytes) } : {}),
      })
      const body = Buffer.from(await response.arrayBuffer())
      answer = { status: response.status, headers: response.headers, bytes: body }
    } catch (error) {
      throw new StoreUnavailable(`${url.host} does not answer (${codeOf(error)}).`, codeOf(error))
    }
    refuse(config, answer)
    return answer
  }
}

/** 412 and 409 answer a name that is taken, 404 one that is not there: all else is no answer to us. */
function refuse({ bucket, endpoint }: BucketConfig, { status, bytes }: Answer): void {
  const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(bytes.toString('utf8', 0, 2_000))?.[1] ?? String(status)
  if (status === 404 && code === 'NoSuchBucket')
    throw new StoreUnavailable(`${endpoint} has no bucket ${bucket}: see STORE_BUCKET.`, code, true)
  if (status < 300 || status === 404 || status === 412 || (status === 409 && code.startsWith('Conditional')))
    return
  const isRefused = status < 500 && status !== 408 && status !== 429
  const hint = isRefused ? ': see STORE_ACCESS_KEY, STORE_SECRET_KEY and STORE_REGION' : ''
  throw new StoreUnavailable(
    `The bucket ${bucket} at ${endpoint} answers ${status} ${code}${hint}.`,
    code,
    isRefused,
  )
}

function codeOf(error: unknown): string {
  const { name, cause } = error as Error
  if (name === 'TimeoutError') return 'timeout'
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? 'no answer'
}

async function listBucket(
  call: (call: Call) => Promise<Answer>,
  prefix: string,
  page: number,
): Promise<Listed[]> {
  const listed: Listed[] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query = new URLSearchParams({ 'list-type': '2', delimiter: '/', 'max-keys': String(page), prefix })
    if (token) query.set('continuation-token', token)
    const answer = await call({
      method: 'GET',
      path: '',
      query: `?${query.toString().replaceAll('+', '%20')}`,
    })
    const read = readPage(answer.bytes.toString('utf8'))
    listed.push(
      ...read.files.map(({ name, at }) => ({ name: name.slice(prefix.length), writtenAtMs: Date.parse(at) })),
    )
    token = read.next
  }
  return listed
}

/** The names in a page of a list, and where the next begins. */
function readPage(xml: string): { files: { name: string; at: string }[]; next: string | undefined } {
  const files: { name: string; at: string }[] = []
  let next: string | undefined
  let path: string[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    path = [...path, name]
    if (name === 'Contents') files.push({ name: '', at: '' })
  })
  parser.on('closetag', () => {
    path = path.slice(0, -1)
  })
  parser.on('text', (text) => {
    const [where, file] = [path.slice(1).join('/'), files.at(-1)]
    if (where === 'Contents/Key' && file) file.name += text
    if (where === 'Contents/LastModified' && file) file.at += text
    if (where === 'NextContinuationToken') next = `${next ?? ''}${text}`
  })
  try {
    parser.write(xml).close()
  } catch {
    throw new StoreUnavailable('The bucket answers a list that is no XML.', 'list')
  }
  return { files, next }
}
