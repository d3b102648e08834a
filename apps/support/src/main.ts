/** The support site's script. */
import { startArticle } from '@kvitt/site/script/article.ts'
import { keepOffline } from '@kvitt/site/script/keep-offline.ts'
import { tellServices } from '@kvitt/site/script/services.ts'
import { readPageData } from '@kvitt/site/script/start.ts'
import { startTopics } from '@kvitt/site/script/topics.ts'
import { wordsFrom } from '@kvitt/site/words.ts'

const data = readPageData()
if (data?.page === 'topics') startTopics(data)
if (data?.page === 'article') startArticle(data)
if (data?.page === 'waiting') {
  void import('@kvitt/site/script/waiting.ts').then(({ startWaiting }) => startWaiting(data))
}
if (data?.page === 'topics' || data?.page === 'article') void tellServices(wordsFrom(data.book))
if (data) keepOffline(data.base)
