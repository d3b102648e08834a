import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkNames, OWN_SETTINGS, SETTINGS } from './config-names.ts'
import { runProgram } from '../src/testing/run-program.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

describe('a name that is nearly a setting is a mistake', () => {
  test.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['SMTP_ULR', 'SMTP_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['WORKER', 'WORKERS'],
    ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
    ['BNAK_BASE_URL', 'BANK_BASE_URL'],
    ['BANK_BASEURL', 'BANK_BASE_URL'],
    ['ERROR_REPORTING_DNS', 'ERROR_REPORTING_DSN'],
    ['Port', 'PORT'],
    ['demo', 'DEMO'],
    ['database_url', 'DATABASE_URL'],
    ['SWSIH_PAYEE_ALIAS_FJELLKLAR', 'SWISH_PAYEE_ALIAS_FJELLKLAR'],
    ['DIGITAL_MAILBOX_TENNANT_FJELL_KLAR', 'DIGITAL_MAILBOX_TENANT_FJELL_KLAR'],
  ])('%s', (name, meant) => {
    expect(() => checkNames([name])).toThrow(`${name} is not a setting of Kvitt. Did you mean ${meant}?`)
  })

  test('what begins as ours do is one too, however far from them all', () => {
    expect(() => checkNames(['BANK_HOLIDAYS'])).toThrow(
      'BANK_HOLIDAYS is not a setting of Kvitt. The README lists them all.',
    )
    expect(() => checkNames(['TRUSTED_PROXY'])).toThrow('TRUSTED_PROXY is not a setting of Kvitt.')
  })
})

/** What stands in the environment of shells, desktops, containers, runners of tests, clouds, and Node itself. */
const OTHERS = `
  HOME HOSTNAME HOSTTYPE HOSTALIASES HOSTFILE PATH PWD OLDPWD SHELL SHLVL USER USERNAME LOGNAME LANG LANGUAGE LC_ALL LC_CTYPE
  LC_TIME TERM TERM_PROGRAM TERM_PROGRAM_VERSION COLORTERM COLUMNS LINES EDITOR VISUAL PAGER LESS LESSOPEN LESSCLOSE LS_COLORS
  MAIL MAILCHECK MAILPATH MANPATH INFOPATH DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS
  XDG_CONFIG_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR XDG_SESSION_ID XDG_SESSION_TYPE XDG_SEAT XDG_VTNR XDG_CURRENT_DESKTOP DESKTOP_SESSION
  DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK SSH_AGENT_PID SSH_CLIENT SSH_CONNECTION SSH_TTY GPG_AGENT_INFO GPG_TTY TMPDIR TEMP TMP TZ
  PS1 PS2 IFS EUID UID PPID RANDOM SECONDS OPTIND _ DEBEMAIL DEBFULLNAME DEBIAN_FRONTEND SUDO_USER SUDO_UID SUDO_GID SUDO_COMMAND
  http_proxy https_proxy no_proxy all_proxy ftp_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR
  CURL_CA_BUNDLE REQUESTS_CA_BUNDLE GIT_AUTHOR_NAME GIT_EDITOR GIT_DIR GIT_SSH_COMMAND CI BUILD_ID BUILD_NUMBER JOB_NAME JENKINS_URL
  GITHUB_ACTIONS GITHUB_WORKSPACE GITHUB_SHA GITHUB_SERVER_URL RUNNER_OS RUNNER_TEMP GITLAB_CI CI_JOB_ID CI_SERVER_HOST DOCKER_HOST
  COMPOSE_PROJECT_NAME container KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT_443_TCP_ADDR
  POSTGRES_PORT POSTGRES_SERVICE_HOST POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB REDIS_URL REDIS_PORT WEB_PORT WEB_HOST API_PORT
  APP_PORT HTTP_PORT HTTPS_PORT POD_NAME POD_IP POD_NAMESPACE NODE_NAME INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_PID
  LISTEN_FDS LISTEN_FDNAMES MAINPID MANAGERPID SYSTEMD_EXEC_PID STATE_DIRECTORY RUNTIME_DIRECTORY LOGS_DIRECTORY CACHE_DIRECTORY
  CREDENTIALS_DIRECTORY WATCHDOG_USEC MEMORY_PRESSURE_WATCH NODE NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_VERSION
  NODE_DEBUG UV_THREADPOOL_SIZE NVM_DIR NVM_BIN NVM_INC FNM_DIR VOLTA_HOME YARN_VERSION PNPM_HOME COREPACK_HOME COREPACK_ROOT INIT_CWD
  npm_command npm_config_cache npm_config_global npm_config_prefix npm_config_user_agent npm_config_loglevel npm_execpath
  npm_lifecycle_event npm_lifecycle_script npm_node_execpath npm_package_json npm_package_name npm_package_version npm_config_port
  PGHOST PGPORT PGUSER PGDATA PGDATABASE PGPASSWORD PGPASSFILE PGSERVICE PGSSLMODE AWS_REGION AWS_PROFILE AWS_ACCESS_KEY_ID AWS_CA_BUNDLE
  AZURE_HTTP_USER_AGENT GOOGLE_APPLICATION_CREDENTIALS GCP_PROJECT DYNO WEB_CONCURRENCY RAILS_ENV DJANGO_SETTINGS_MODULE FLASK_APP
  BASE_URL API_BASE_URL APP_URL SITE_URL FTP_URL LDAP_URL AMQP_URL VITE_BASE_URL REACT_APP_PUBLIC_URL SENTRY_DSN SENTRY_URL
  OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_ENDPOINT VSCODE_PID VSCODE_IPC_HOOK VSCODE_GIT_IPC_HANDLE TERMINAL_EMULATOR IDEA_INITIAL_DIRECTORY
  JAVA_HOME CARGO_HOME RUSTUP_HOME GOPATH GOROOT GOPROXY PYTHONPATH PYTHONUNBUFFERED VIRTUAL_ENV CONDA_PREFIX GEM_HOME BUNDLE_GEMFILE
  DEBUG VERBOSE QUIET MODE ENV STAGE VERSION NAME POST SORT PORTS HOSTS WORK WORD DOMAIN MEMO DEMON WORKDIR WORKSPACE DATA DATA_HOME
  CHROMIUM_PATH CHROME_BIN PLAYWRIGHT_BROWSERS_PATH LIGHTHOUSE_CHROMIUM_PATH WSLENV WSL_DISTRO_NAME WSL_INTEROP Apple_PubSub_Socket_Render
  __CF_USER_TEXT_ENCODING __CFBundleIdentifier COMMAND_MODE SECURITYSESSIONID MallocNanoZone ITERM_SESSION_ID TMUX TMUX_PANE STY
`
  .trim()
  .split(/\s+/)

test('the names of other programs are left alone', () => {
  expect(OTHERS.length).toBeGreaterThan(250)
  const refused = OTHERS.filter((name) => {
    try {
      checkNames([name])
      return false
    } catch {
      return true
    }
  })
  expect(refused).toEqual([])
})

test('no setting is refused, nor is one of a provider’s own', () => {
  const names = [...SETTINGS, ...OWN_SETTINGS.map((name) => `${name}_FJELL_KLAR`)]
  expect(() => checkNames(names)).not.toThrow()
})

test('the README lists each of them and no other', () => {
  const readme = readFileSync(here('../../../README.md'), 'utf8')
  const rows = readme.split('\n## Settings\n')[1]?.split('\n## ')[0]?.split('\n') ?? []
  const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`(\*ALIAS\*)?/g)])
  const names = listed.filter(([, , isOwn]) => !isOwn).map(([, name]) => name)
  expect(new Set(names)).toEqual(new Set(SETTINGS))
  const own = listed.filter(([, , isOwn]) => isOwn).map(([, name]) => name?.replace(/_$/, ''))
  const toldInWords = ['DIGITAL_MAILBOX_TENANT', 'ELECTRONIC_INVOICE_SENDER']
  expect(new Set([...own, ...toldInWords])).toEqual(new Set(OWN_SETTINGS))
})

test.each(['main', 'task-cli'])('%s ends with the sentence and status 2', async (program) => {
  const env = { SMPT_URL: 'smtp://mail.example.com', DATA_DIR: '/nowhere' }
  const stderr = 'SMPT_URL is not a setting of Kvitt. Did you mean SMTP_URL?\n'
  expect(await runProgram(program, [], env)).toEqual({ status: 2, stdout: '', stderr })
})
