import { chooseWords } from '@kvitt/ui/language/late-words.ts'
import { speak } from '@kvitt/ui/language/speak.ts'
import { createRoot } from 'react-dom/client'
import messages from 'virtual:more/en'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import '../src/start.css'
import { startSession } from '../src/session.ts'
import { Surroundings } from '../src/surroundings.tsx'

import { Lab, shownStates, type Wish } from './lab.tsx'
import { pretend } from './no-server.ts'
import { paint } from './palettes.ts'
import { INSTANCE, keyOf } from './samples.ts'

function readWish(): Wish {
  const asked = new URLSearchParams(location.search)
  return {
    palette: asked.get('palette') ?? 'teal',
    theme: asked.get('theme') ?? '',
    part: asked.get('part') ?? '',
    state: asked.get('state') ?? '',
  }
}

chooseWords('en')
speak('en', messages)
startSession(keyOf('261185'))
const place = document.getElementById('root')
const root = place && createRoot(place)

function show(): void {
  const wish = readWish()
  paint(wish.palette)
  document.documentElement.style.colorScheme = wish.theme
  const [state] = shownStates(wish)
  pretend(state?.calls ?? {}, state?.guise ?? {})
  root?.render(
    <Surroundings instance={INSTANCE}>
      <Lab key={`${wish.part}/${wish.state}`} wish={wish} />
    </Surroundings>,
  )
}

addEventListener('popstate', show)
show()
