/** Puts a script into the head of a page, where it runs before anything else is loaded. The server gives it its nonce. */
import { resolve } from 'node:path'
import { rolldown } from 'rolldown'
import type { Plugin } from 'vite'

/** @param file the script, below the root of the portal or absolute; it takes the place of `<!--kvitt:start-->` */
export function headScript(file: string): Plugin {
  let root = ''
  return {
    name: 'head-script',
    configResolved(config) {
      root = config.root
    },
    async transformIndexHtml(html) {
      const head = await rolldown({ input: resolve(root, file), logLevel: 'silent' })
      const { output } = await head.generate({ format: 'iife', minify: true, codeSplitting: false })
      const script = `<script nonce="__NONCE__">${output[0].code.trim()}</script>`
      return html.replace('<!--kvitt:start-->', () => script)
    },
  }
}
