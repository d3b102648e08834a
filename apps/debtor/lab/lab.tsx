import { ToastRegion } from '@kvitt/ui/components/toast.tsx'
import { Fields } from './fields.tsx'
import css from './lab.module.css'
import { PALETTES } from './palettes.ts'
import { Parts } from './parts.tsx'

const THEMES = { system: '', light: 'light', dark: 'dark' }

/** Every part of the ui package in every state, under one provider's colours and in one theme. */
export function Lab({ palette, theme }: { palette: string; theme: string }) {
  const link = (name: string, colours: string, scheme: string, isHere: boolean) => (
    <a
      key={name}
      className={css.link}
      href={`?${new URLSearchParams({ palette: colours, theme: scheme })}`}
      aria-current={isHere ? 'page' : undefined}
    >
      {name}
    </a>
  )
  return (
    <>
      <main className="page">
        <h1>Lab</h1>
        <nav className={css.links} aria-label="Palette">
          {Object.keys(PALETTES).map((name) => link(name, name, theme, name === palette))}
        </nav>
        <nav className={css.links} aria-label="Theme">
          {Object.entries(THEMES).map(([name, scheme]) => link(name, palette, scheme, scheme === theme))}
        </nav>
        <Parts />
        <Fields />
      </main>
      <ToastRegion />
    </>
  )
}
