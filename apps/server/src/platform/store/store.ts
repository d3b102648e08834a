/**
 * Files beside the database that any host may write and any host may take: letters for the printer, anchors of the audit log, the
 * journal of payments. A folder (of this host, or shared), or a bucket behind the interface of S3 (decision 050).
 */

export type BucketConfig = {
  /** Without a trailing slash. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
  /** True: the bucket stands in the path; false: in the host's name. */
  readonly isPathStyle: boolean
}

/** Where the files of one kind are. */
export type StorePlace =
  | { readonly folder: string }
  | { readonly bucket: BucketConfig; readonly prefix: string }

export type Kept = { readonly bytes: Buffer; readonly writtenAtMs: number }
export type Listed = { readonly name: string; readonly writtenAtMs: number }

/** A name is of letters, digits and `.-_`, with `/` between its parts. Each call throws StoreUnavailable. */
export type Store = {
  /** For people: which folder or bucket, without what opens it. */
  readonly place: string
  /**
   * Writes a file once, on disk when this returns and compared by its checksum. True when it is there now with these bytes,
   * whoever wrote it; false when the name has other bytes, which stay.
   */
  put(name: string, bytes: Uint8Array): Promise<boolean>
  get(name: string): Promise<Kept | undefined>
  has(name: string): Promise<boolean>
  /** What lies directly under it (`''`: at the top), by name. */
  list(under: string): Promise<Listed[]>
  /**
   * Moves a file; nothing when it is not there. In a folder a move happens once. A bucket copies and removes: whoever dies between
   * the two leaves both, and the copy is made once more where somebody has removed it meanwhile.
   */
  move(from: string, to: string): Promise<void>
  remove(name: string): Promise<void>
}

/**
 * It could not be done, or nobody knows whether it was. `code` is short and names no file; `isRefused`: the other side has answered, and a
 * setting is wrong.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
  readonly code: string
  readonly isRefused: boolean
  constructor(message: string, code: string, isRefused = false) {
    super(message)
    this.code = code
    this.isRefused = isRefused
  }
}
