/** Writes a brotli and a gzip copy beside every text asset, so that the server never compresses while serving. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(?:js|css|svg|json|map)$/

export function compressAssets(): Plugin {
  let folder = ''
  return {
    name: 'compress-assets',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir, config.build.assetsDir)
    },
    closeBundle() {
      // A build that failed says why itself; this is called all the same.
      if (!existsSync(folder)) return
      for (const name of readdirSync(folder).filter((n) => TEXT.test(n))) {
        const file = join(folder, name)
        const bytes = readFileSync(file)
        writeFileSync(
          `${file}.br`,
          brotliCompressSync(bytes, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: 11,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            },
          }),
        )
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
