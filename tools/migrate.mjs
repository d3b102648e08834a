// `npm run migrate`: brings the configured database up to date, on its own.
import { runCommand } from './run-command.mjs'

await runCommand('migrate-cli.js')
