/**
 * Marks files nearly all of which run at once: a browser that knows the mark (Chrome since 136) makes all of their functions
 * ready beside, while the files come, and not one at a time on the thread that a page is waited for.
 * https://github.com/WICG/explicit-javascript-compile-hints-file-based
 */
import type { Plugin } from 'vite'

const MARK = '//# allFunctionsCalledOnLoad\n'

/** `runAtOnce` tells them by their names in the build. */
export function compileHints(runAtOnce: RegExp): Plugin {
  return {
    name: 'compile-hints',
    apply: 'build',
    generateBundle: {
      // The mark counts before everything else only, and whoever makes files smaller takes comments away.
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && runAtOnce.test(file.fileName)) file.code = MARK + file.code
        }
      },
    },
  }
}
