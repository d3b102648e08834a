/**
 * The address of a database of several hosts: `postgres://…@a:5432,b:5432,c:5432/kvitt?target_session_attrs=read-write`, as
 * PostgreSQL's own library reads it.
 */

export type Host = { readonly host: string; readonly port: number }

const WRITES = ['read-write', 'primary']
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/s
const DEFAULT_PORT = 5432

/** A name, an address or `[…]`, and perhaps a port. */
const HOST = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/

function readHost(text: string): Host {
  const [, host = '', port] = HOST.exec(text) ?? []
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: port === undefined ? DEFAULT_PORT : Number(port) }
}

/** `host=a,b&port=1,2`: the other way to write it, and the only one for folders of sockets. */
function hostsOfQuery(query: URLSearchParams): Host[] {
  const ports = (query.get('port') ?? '').split(',')
  return (query.get('host') ?? '')
    .split(',')
    .filter((host) => host !== '')
    .map((host, place) => ({ host, port: Number(ports[place] || ports[0] || DEFAULT_PORT) }))
}

/**
 * The hosts of an address that has several or says what it wants of one, and the address with the first of them alone; undefined
 * for any other.
 */
export function splitHosts(
  url: string,
): { readonly hosts: readonly Host[]; readonly first: string } | undefined {
  const [, login = '', authority = '', path = '', queryText = ''] = PARTS.exec(url) ?? []
  const query = new URLSearchParams(queryText)
  const wanted = query.get('target_session_attrs')
  const asQuery = hostsOfQuery(query)
  if (wanted === null && asQuery.length < 2 && !authority.includes(',')) return undefined
  const hosts = asQuery.length > 0 ? asQuery : authority.split(',').map(readHost)
  for (const name of ['target_session_attrs', 'host', 'port']) query.delete(name)
  const rest = query.size > 0 ? `?${query.toString().replaceAll('+', '%20')}` : ''
  return { hosts, first: `${login}localhost${path}${rest}` }
}

/** What is wrong with the hosts of an address: the rest of a sentence that begins with the setting's name. */
export function refusedHosts(url: string): string | undefined {
  const [, , authority = '', , queryText = ''] = PARTS.exec(url) ?? []
  const wanted = new URLSearchParams(queryText).get('target_session_attrs')
  if (wanted !== null && !WRITES.includes(wanted))
    return `has target_session_attrs=${wanted}; Kvitt writes, so that it has to be read-write`
  const wrong = authority.includes(',') ? authority.split(',').find((one) => !HOST.test(one)) : undefined
  return wrong === undefined ? undefined : `has "${wrong}" among its hosts; each is a name or a name:port`
}
