// `npm run provider -- [...]`: makes a provider, and changes how it presents itself.
import { runCommand } from './run-command.mjs'

await runCommand('provider-cli.js')
