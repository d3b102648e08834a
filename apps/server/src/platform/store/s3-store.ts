/** Files beside the database in a bucket, by the interface of S3 (AWS, MinIO, Ceph and others). */
import { createHash } from 'node:crypto'
import { SaxesParser } from 'saxes'
import { openCall, type Answer, type Call } from './bucket-call.ts'
import { StoreUnavailable, type BucketConfig, type Listed, type Store } from './store.ts'

/** What the interface answers at most. */
const PAGE = 1_000

export function openBucket(config: BucketConfig, prefix: string, page = PAGE, patienceMs?: number): Store {
  const call = openCall(config, patienceMs)
  const key = (name: string): string => `${prefix}/${name}`
  const get: Store['get'] = async (name) => {
    const answer = await call({ method: 'GET', path: key(name) })
    if (answer.status === 404) return undefined
    return { bytes: answer.bytes, writtenAtMs: Date.parse(answer.headers['last-modified'] ?? '') }
  }
  /** Whether its name has these bytes; undefined when it has none. */
  const has = async (name: string, bytes: Uint8Array): Promise<boolean | undefined> => {
    const found = await get(name)
    return found && Buffer.compare(found.bytes, bytes) === 0
  }
  const remove: Store['remove'] = async (name) => void (await call({ method: 'DELETE', path: key(name) }))
  const put: Store['put'] = async (name, bytes) => {
    const checksum = createHash('sha256').update(bytes).digest('base64')
    const headers = { 'if-none-match': '*', 'x-amz-checksum-sha256': checksum }
    const answer = await call({ method: 'PUT', path: key(name), bytes, headers })
    // There already: of a try whose answer was lost, or another's.
    if (answer.status === 412 || answer.status === 409) {
      const isSame = await has(name, bytes)
      if (isSame !== undefined) return isSame
      // Another's try was in the way and has come to nothing, or whoever takes files has taken it just now.
      throw new StoreUnavailable(
        `The bucket ${config.bucket} does not say what became of a file.`,
        'conflict',
      )
    }
    if (answer.headers['x-amz-checksum-sha256'] === checksum || (await has(name, bytes))) return true
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
      if (!(await put(to, found.bytes)))
        throw new StoreUnavailable(`The bucket ${config.bucket} has another file of that name.`, 'taken')
      await remove(from)
    },
    remove,
  }
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
