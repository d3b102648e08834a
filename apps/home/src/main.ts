/** The homepage's script. */
import { startFrontPage } from '@kvitt/site/script/front.ts'
import { readPageData } from '@kvitt/site/script/start.ts'

const data = readPageData()
if (data?.page === 'front') startFrontPage(data)
if (data?.page === 'waiting') {
  void import('@kvitt/site/script/waiting.ts').then(({ startWaiting }) => startWaiting(data))
}
