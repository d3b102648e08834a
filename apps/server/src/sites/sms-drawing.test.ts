/** The homepage draws a text message of ours, for people to lay beside theirs. */
import { expect, test } from 'vitest'
import { textMessage } from '@kvitt/site/text-message.ts'
import { htmlOf } from '@kvitt/site/element.ts'
import { wordsOf } from '@kvitt/site/words.ts'
import { LANGUAGES, textOf } from '../platform/texts.ts'

test.each(LANGUAGES)('what is drawn is what is sent, word for word: %s', (language) => {
  const drawn = htmlOf(textMessage(wordsOf(language)))
  const [, bubble = ''] = /<blockquote>(.*?)<\/blockquote>/.exec(drawn) ?? []
  const sent = textOf(language, 'mail.sms', { instance: '%%name%%', url: '%%smsAddress%%' })
  expect(bubble.replace(/<\/?b>/g, '')).toBe(sent)
  expect(drawn).toContain('%%smsSender%%')
})
