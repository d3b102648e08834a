/** A folder or a bucket, as the settings say. */
import { openFolder } from './folder-store.ts'
import { openBucket } from './s3-store.ts'
import type { Store, StorePlace } from './store.ts'

export function openStore(place: StorePlace): Store {
  return 'folder' in place ? openFolder(place.folder) : openBucket(place.bucket, place.prefix)
}
