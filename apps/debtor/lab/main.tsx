import { speak } from '@kvitt/ui/language/speak.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import messages from 'virtual:language/en'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import '../src/start.css'
import { Lab } from './lab.tsx'
import { paint } from './palettes.ts'

const asked = new URLSearchParams(location.search)
const palette = asked.get('palette') ?? 'teal'
const theme = asked.get('theme') ?? ''
paint(palette)
document.documentElement.style.colorScheme = theme
speak('en', messages)
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Lab palette={palette} theme={theme} />
    </StrictMode>,
  )
}
