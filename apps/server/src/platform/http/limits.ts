/** How long a request may take and how large it may be. deploy/proxies tells a proxy in front the same. */

/** Whoever sends headers more slowly than this only holds a connection. */
export const HEADERS_MS = 10_000
/** For the body of a request without a file, from its first byte on. */
export const BODY_MS = 30_000
/** A photograph from a telephone: 10 MB at half a megabit a second. */
export const FORM_MS = 180_000
/** A connection on which nothing at all happens for so long while a request is under way is given up. */
export const SILENT_MS = 60_000
/** The same while somebody waits for a list as a file: nine others may be made before. */
export const FILE_WAIT_MS = 600_000
/** Longer than proxies keep theirs, so that none of them writes into one that we have just closed. */
export const KEEP_ALIVE_MS = 72_000
/** How often connections are looked at for what they take too long for. */
export const LOOK_MS = 2_000
/**
 * Bytes of the line and the headers of a request. A form without a script sends what was pasted in its address, and the page itself
 * says when that is too long.
 */
export const LARGEST_HEADERS = 64 * 1024
/** Bytes of a body without a file. */
export const LARGEST_BODY = 1024 * 1024
/** Bytes that a form may have besides its file. */
export const AROUND_FILE = 128 * 1024

/** Of these, what Fastify and Node are told. */
export const SERVER_LIMITS = {
  bodyLimit: LARGEST_BODY,
  requestTimeout: FORM_MS,
  connectionTimeout: SILENT_MS,
  http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_MS, maxHeaderSize: LARGEST_HEADERS },
  keepAliveTimeout: KEEP_ALIVE_MS,
}
