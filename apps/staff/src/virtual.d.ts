declare module 'virtual:language/*' {
  import type { Messages } from '@lingui/core'

  const messages: Messages
  export default messages
}
declare module 'virtual:words/*' {
  import type { Messages } from '@lingui/core'

  const messages: Messages
  export default messages
}
