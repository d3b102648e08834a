// `npm run court -- --by NAME --reason TEXT (--claim N ... | --creditor ID ...)`: what persons decide about the court step.
import { runCommand } from './run-command.mjs'

await runCommand('court-cli.js')
