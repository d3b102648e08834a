/** The debtor portal: its start page with a tenant's brand, and its chat. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { START_PAGE_MARKS as MARKS, type StartScreens } from '@kvitt/domain/instances/start-page.ts'
import { chatPolicy, pagePolicy, type Foreign } from './page-policy.ts'
import type { Tenant } from '../http/call.ts'
import { redirect, sendPage, type Portal, type Visit } from './portals.ts'
import { StartupError } from '../startup-error.ts'
import { LANGUAGES, textOf } from '../texts.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ESCAPES[c] ?? c)
}

/** JSON that may stand inside a script element: no "<" can close it. What is null is left out. */
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => inner ?? undefined)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

/** How a tenant's start page looks before any script has run. */
export type Branding = {
  readonly name: string
  readonly language: string
  readonly favicon: string | null
  /** CSS custom properties by name. Values that are not colours or numbers are dropped. */
  readonly variables: Readonly<Record<string, string>>
  /** What stands in the prerendered screens for each mark; null takes the element out that shows it. */
  readonly marks: readonly (readonly [mark: string, text: string | null])[]
  /** Which of the prerendered start pages: the codes of the ways to log in, sorted and with a comma between. */
  readonly logins: string
  /** What the portal would otherwise have to ask for. */
  readonly answer: unknown
  readonly foreign: Foreign
  /** The chat that stands in a frame; null without one. */
  readonly chatFrame: string | null
}

const HARMLESS = /^(#[0-9a-f]{3,8}|[0-9.]{1,6})$/i

/** A square of the tenant's colour, for one without an icon: a browser would ask for `/favicon.ico`. */
function plainIcon(colour = ''): string {
  const fill = HARMLESS.test(colour) ? colour : '#555'
  const square = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" rx="2" fill="${fill}"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(square)}`
}

type Look = Pick<Branding, 'favicon' | 'variables'>

function coloursOf({ variables }: Look): string {
  const css = Object.entries(variables)
    .filter(([, value]) => HARMLESS.test(value))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
  return `<style nonce="__NONCE__">:root{${css}}</style>`
}

function iconOf({ favicon, variables }: Look): string {
  return favicon ? `/api/storage/${encodeURIComponent(favicon)}` : plainIcon(variables['--fill'])
}

/** The tenant's icon and colours, with a place for the nonce. */
export function brandStyle(look: Look): string {
  return `<link rel="icon" href="${iconOf(look)}">${coloursOf(look)}`
}

/**
 * The same for a page whose script puts the icon there after the first look: a browser asks for an icon of the head at once, with a high
 * priority, and on a phone's line the words wait a whole turn for it. Without a script it is there from the start.
 */
export function brandStyleLate(look: Look): string {
  if (!look.favicon) return brandStyle(look)
  const icon = iconOf(look)
  const late = `<link rel="icon" href="${plainIcon(look.variables['--fill'])}" data-src="${icon}">`
  return `${late}<noscript><link rel="icon" href="${icon}"></noscript>${coloursOf(look)}`
}

/** What stands in the head of a page: the tenant's name, icon, colours, and what the portal would have to ask for. */
export function brandHead(
  branding: Pick<Branding, 'name' | 'favicon' | 'variables' | 'answer'>,
  style: (look: Look) => string = brandStyle,
): string {
  return [
    `<title>${escapeHtml(branding.name)}</title>`,
    style(branding),
    `<script type="application/json" id="kvitt-instance" nonce="__NONCE__">${jsonForHtml(branding.answer)}</script>`,
  ].join('')
}

function fillMarks(screen: string, { marks }: Branding): string {
  let filled = screen
  for (const [mark, text] of marks) {
    filled =
      text === null
        ? filled.replace(new RegExp(`<(?:img|link|div)[^>]*${mark}[^>]*>(</div>)?`, 'g'), '')
        : filled.replaceAll(mark, () => escapeHtml(text))
  }
  return filled
}

/** The portal of debtors as it was built in `folder`. Throws StartupError when it is not built. */
export function openDebtorPortal(folder: string, brandingOf: (tenant: Tenant) => Branding): Portal {
  const indexFile = join(folder, 'index.html')
  if (!existsSync(indexFile)) {
    throw new StartupError(
      'The debtor portal is not built. Run "npm run build" first, or "npm start", which does it.',
    )
  }
  const template = readFileSync(indexFile, 'utf8')
  const screens = JSON.parse(readFileSync(join(folder, 'screens.json'), 'utf8')) as Record<
    string,
    StartScreens
  >
  const sendStartPage = ({ request, tenant }: Visit, reply: FastifyReply): FastifyReply => {
    const branding = brandingOf(tenant)
    const nonce = randomBytes(16).toString('base64')
    const html = writeStartPage(template, screens[branding.language], branding).replaceAll('__NONCE__', nonce)
    return sendPage(request, reply, { html, policy: pagePolicy(nonce, branding.foreign) })
  }
  return {
    name: 'debtor',
    folder,
    answer: (visit, reply) => {
      const { request, tenant, base, path } = visit
      if (path === '') return sendStartPage(visit, reply)
      if (path === 'chat') return sendChat(reply, brandingOf(tenant))
      // The portal's routes stand behind the hash; a link without it is put there, whatever follows (specification
      // section 2). The target begins with our own path, so it never leads to another host.
      return leadsBehindHash(path) ? redirect(reply, `${base}/#${request.url.slice(base.length)}`) : undefined
    },
  }
}

const IN_LANGUAGE = new RegExp(`^(?:${LANGUAGES.join('|')})(?:/|$)`)

/** Is the path a route of a portal, written without the hash? */
export function leadsBehindHash(path: string): boolean {
  return IN_LANGUAGE.test(path)
}

function sendChat(reply: FastifyReply, branding: Branding): FastifyReply | undefined {
  if (!branding.chatFrame) return undefined
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', chatPolicy(branding.foreign))
    .header('x-frame-options', 'SAMEORIGIN')
    .header('cache-control', 'no-cache')
    .send(`<!doctype html><meta charset="utf-8">${branding.chatFrame}`)
}

function describe(screens: StartScreens | undefined, branding: Branding): string {
  if (!screens) return ''
  return `<meta name="description" content="${fillMarks(escapeHtml(screens.description), branding)}">`
}

/**
 * What a browser without JavaScript shows: that it is needed, and whom to ring. Which language a link has asked for stands behind the
 * hash, where only a script sees it: so in all of them, the provider's own first.
 */
function noScript(own: string): string {
  const languages = [...LANGUAGES].sort((a, b) => Number(b === own) - Number(a === own))
  const sentences = languages.map((language) => {
    const shown = language === own ? MARKS.phone : MARKS.phoneAbroad
    const link = `<a href="tel:${MARKS.phone}">${shown}</a>`
    const [before = '', after = ''] = textOf(language, 'page.no_script', { phone: '\n' }).split('\n')
    return `<p lang="${language}">${escapeHtml(before)}${link}${escapeHtml(after)}</p>`
  })
  return `<main class="page"><h1>${MARKS.name}</h1>${sentences.join('')}</main>`
}

function writeStartPage(template: string, screens: StartScreens | undefined, branding: Branding): string {
  return template
    .replace('<!--kvitt:head-->', () => brandHead(branding, brandStyleLate) + describe(screens, branding))
    .replace('<!--kvitt:home-->', () => fillMarks(screens?.home[branding.logins] ?? '', branding))
    .replace('<!--kvitt:no-script-->', () => fillMarks(noScript(branding.language), branding))
    .replace('<!--kvitt:opening-->', () => fillMarks(screens?.opening ?? '', branding))
    .replace('<!--kvitt:lost-->', () => fillMarks(screens?.lost ?? '', branding))
    .replace(/<html lang="[a-z]+">/, `<html lang="${escapeHtml(branding.language)}">`)
}
