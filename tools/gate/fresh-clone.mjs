// A fresh clone on another Node: installed, built, started and paid with. `node tools/gate/fresh-clone.mjs 24`
// Ends with status 0 when that works, with 1 when not, and with 3 when it cannot be tried here: its last line says why.
import { rmSync } from 'node:fs'
import { copyCheckout, installNode, startAndPay } from '../other-node.mjs'

const PORT = 18_880

const bin = installNode(process.argv[2])
if (bin === undefined) skip('the registry does not give that Node here')
const folder = copyCheckout()
if (folder === undefined) skip('this is no git checkout')
try {
  await startAndPay({ folder, bin, port: PORT })
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function skip(reason) {
  console.log(reason)
  process.exit(3)
}
