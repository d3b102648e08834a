// `npm run import -- [--json] [--creditor ID] FILE...`: imports invoices into the product.
import { runCommand } from './run-command.mjs'

await runCommand('import-cli.js')
