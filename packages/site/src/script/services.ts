/** Which services answer, at the foot of a page and, where it has room for them, one by one. */
import { nodesOf } from '../make-elements.ts'
import { serviceList, servicesInWords, type ServiceState } from '../service-states.ts'
import type { Words } from '../words.ts'

/** Without an answer the link to the page of services stays. */
export async function tellServices(t: Words): Promise<void> {
  const place = document.getElementById('services')
  if (!place) return
  try {
    const response = await fetch('/api/public/service-states')
    if (!response.ok) return
    const { services } = (await response.json()) as { services: ServiceState[] }
    place.dataset.state = services.some(({ state }) => state === 'silent') ? 'silent' : 'works'
    place.textContent = servicesInWords(services, t)
    const list = document.getElementById('states')
    list?.append(...nodesOf(serviceList(services, t)))
    list?.removeAttribute('hidden')
  } catch {
    // Nobody answers, or there is no network.
  }
}
