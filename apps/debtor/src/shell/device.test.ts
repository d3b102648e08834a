import { i18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { appLink, isInsideAnotherApp, isMobile, returnAddress } from './device.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const SAFARI = `${IPHONE} Version/19.0 Mobile/15E148 Safari/604.1`
const CHROME_IOS = `${IPHONE} CriOS/140.0 Mobile/15E148 Safari/604.1`
const FACEBOOK = `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/500.0]`
const BARE_WEB_VIEW = `${IPHONE} Mobile/15E148`
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'
const ANDROID_VIEW =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 Version/4.0 Chrome/140.0 Mobile Safari/537.36'
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15'
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'

const device = (userAgent: string, maxTouchPoints = 0) => ({ userAgent, maxTouchPoints })

test('phones and tablets are told from computers, an iPad that calls itself a Mac too', () => {
  for (const phone of [SAFARI, ANDROID, FACEBOOK]) expect(isMobile(device(phone)), phone).toBe(true)
  expect(isMobile(device(MAC, 5))).toBe(true)
  for (const computer of [MAC, LINUX]) expect(isMobile(device(computer)), computer).toBe(false)
})

test('a browser inside another app is found, a real one is left alone', () => {
  for (const inside of [FACEBOOK, BARE_WEB_VIEW, ANDROID_VIEW, `${ANDROID} Instagram 300`]) {
    expect(isInsideAnotherApp(inside), inside).toBe(true)
  }
  for (const real of [SAFARI, CHROME_IOS, ANDROID, MAC, LINUX]) {
    expect(isInsideAnotherApp(real), real).toBe(false)
  }
})

test('only iOS is told where to return to, and in which browser', () => {
  i18n.loadAndActivate({ locale: 'sv', messages: {} })
  const query = { orderRef: 'o/1', paymentReference: '2601' }
  expect(returnAddress(SAFARI, 'https://n.test', query)).toBe(
    'https://n.test/#/sv/?orderRef=o%2F1&paymentReference=2601',
  )
  expect(returnAddress(CHROME_IOS, 'https://n.test', query)).toBe('googlechrome://')
  expect(returnAddress(ANDROID, 'https://n.test', query)).toBeUndefined()
})

test('the link that opens the app carries what it is given and nothing more', () => {
  expect(appLink('a&b', undefined, true)).toBe('https://app.bankid.com/?autostarttoken=a%26b&redirect=null')
  expect(appLink('t', 'https://n.test/#/sv/?a=1&b=2', true)).toBe(
    'https://app.bankid.com/?autostarttoken=t&redirect=https%3A%2F%2Fn.test%2F%23%2Fsv%2F%3Fa%3D1%26b%3D2',
  )
  expect(appLink('t', undefined, false)).toBe('bankid:///?autostarttoken=t&redirect=null')
})
