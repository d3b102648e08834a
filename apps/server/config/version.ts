/** Which release this program is. */
import { readFileSync } from 'node:fs'

const FILE = new URL('../../../package.json', import.meta.url)

/** As package.json has it. */
export const VERSION = (JSON.parse(readFileSync(FILE, 'utf8')) as { version: string }).version
