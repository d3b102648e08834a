// `npm run import-payments -- [--json] FILE...`: books payments from files of banks.
import { runCommand } from './run-command.mjs'

await runCommand('import-payments-cli.js')
