import { t, type MessageId } from '../text.ts'
import { telHref } from './tel-href.ts'

/** A sentence with the phone number in it as a link: the message marks its place with `<tel>`. */
export function PhoneSentence({ id, phone }: { id: MessageId; phone: string }) {
  const [before, number, after] = t(id, { phone }).split(/<\/?tel>/)
  return (
    <>
      {before}
      <a href={telHref(phone)}>{number}</a>
      {after}
    </>
  )
}
