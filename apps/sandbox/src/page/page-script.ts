/**
 * The page's script, sent inline. It asks for the regions every second, draws those that changed
 * and puts the focus back on the button with the same key. The order on the phone stays until it is decided. When it is
 * gone and another takes its place, that one can be pressed after a moment: a finger may be on its way to the first.
 */
export const PAGE_SCRIPT = `
(() => {
  const $ = (id) => document.getElementById(id)
  const drawn = {}
  const picked = {}
  const underWay = new Set()
  let lastPress = Promise.resolve()
  let heldUntil = 0
  let asked = 0
  let oldest = 0

  function draw(id, html) {
    if (drawn[id] === html) return
    drawn[id] = html
    const region = $(id)
    const active = document.activeElement
    const key = region.contains(active) ? active.dataset.key : undefined
    region.innerHTML = html
    if (id === 'phone') keepOrder(region)
    if (key === undefined) return
    const again = [...region.querySelectorAll('[data-key]')].find((one) => one.dataset.key === key)
    ;(again ?? region).focus({ preventScroll: true })
  }

  function keepOrder(region) {
    const card = region.querySelector('[data-open]')
    const shown = card?.dataset.open
    if (picked.order && shown && shown !== picked.order) heldUntil = Date.now() + 600
    if (shown) picked.order = shown
    if (card && Date.now() < heldUntil) {
      card.inert = true
      setTimeout(() => (card.inert = false), heldUntil - Date.now())
    }
    const more = region.querySelector('[data-more]')?.textContent ?? ''
    if ($('more').textContent !== more) $('more').textContent = more
  }

  function say(text) {
    if ($('alert').textContent !== text) $('alert').textContent = text
  }

  // An answer that was on its way when somebody pressed something is of before.
  async function refreshNow() {
    oldest = asked + 1
    await refresh()
  }

  async function refresh() {
    const turn = ++asked
    try {
      const response = await fetch('/page/regions?' + new URLSearchParams(picked))
      const regions = await response.json()
      if (turn < oldest) return
      oldest = turn
      for (const id of Object.keys(regions)) draw(id, regions[id])
      if (document.body.dataset.lost) {
        delete document.body.dataset.lost
        say('')
      }
    } catch {
      document.body.dataset.lost = 'yes'
      say('The sandbox does not answer. This page shows what it knew last.')
    }
  }

  // Another button pressed meanwhile waits its turn; the same one pressed twice is pressed once.
  function press({ dataset: { key, calls } }) {
    if (underWay.has(key)) return
    if (underWay.size === 0) say('')
    underWay.add(key)
    lastPress = lastPress.then(() => makeCalls(JSON.parse(calls))).then(() => {
      underWay.delete(key)
      void refreshNow()
    })
  }

  async function makeCalls(calls) {
    try {
      for (const [method, path, body] of calls) {
        const response = await fetch(path, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        if (!response.ok) {
          const answer = await response.json().catch(() => ({}))
          say(answer.error ?? 'The call failed with status ' + response.status + '.')
          break
        }
      }
    } catch {
      say('The sandbox does not answer.')
    }
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button')
    if (!button) return
    if (button.dataset.calls) press(button)
    if (button.dataset.pick) {
      const [name, value] = button.dataset.pick.split('=')
      picked[name] = value
      void refreshNow()
    }
    if (button.id === 'keys') setKeys(button.getAttribute('aria-pressed') !== 'true')
  })

  $('by-hand').addEventListener('submit', async (event) => {
    event.preventDefault()
    const form = event.target
    const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
    const said = $('by-hand-said')
    said.textContent = ''
    try {
      const response = await fetch(form.dataset.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      })
      const answer = await response.json()
      said.textContent = response.ok
        ? 'Paid. The product learns of it from the bank’s next file.'
        : answer.error
      if (response.ok) for (const name of ['amount', 'reference']) form.elements[name].value = ''
    } catch {
      said.textContent = 'The sandbox does not answer.'
    }
    await refreshNow()
  })

  function setKeys(on) {
    $('keys').setAttribute('aria-pressed', String(on))
    document.body.classList.toggle('no-keys', !on)
    try {
      localStorage.setItem('sandbox-keys', on ? 'on' : 'off')
    } catch {}
  }

  document.addEventListener('keydown', (event) => {
    const off = $('keys').getAttribute('aria-pressed') !== 'true'
    if (off || event.target.closest('form') || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    const button = document.querySelector('[data-shortcut="' + CSS.escape(event.key.toLowerCase()) + '"]')
    if (!button || button.closest('[inert]')) return
    event.preventDefault()
    button.focus({ preventScroll: true })
    press(button)
  })

  let keys = 'on'
  try {
    keys = localStorage.getItem('sandbox-keys') ?? 'on'
  } catch {}
  setKeys(keys === 'on')

  for (const region of document.querySelectorAll('[data-region]')) drawn[region.id] = region.innerHTML
  keepOrder($('phone'))
  setInterval(() => {
    if (!document.hidden && underWay.size === 0) void refresh()
  }, 1000)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void refresh()
  })
})()
`
