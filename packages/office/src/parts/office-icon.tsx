import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'

/** Icons that only the portals of staff have, on the same grid as the others (packages/ui). */
const PATHS = {
  search: 'M4 10.8a6.8 6.8 0 1 0 13.6 0a6.8 6.8 0 1 0 -13.6 0M15.8 15.8L20.5 20.5',
  'to-do': 'M4 6.5l1.6 1.6L8.6 5M4 16.5l1.6 1.6 3-3.1M12 7h8.5M12 17h8.5',
  claim: 'M4 8.5h16v10.5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM7 8.5V5a1 1 0 0 1 1-1h8a1 1 0 0 1 1 1v3.5M9.5 13h5',
  people:
    'M5.5 8.5a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0M2.8 19.5c.4-3.4 2.6-5.4 5.9-5.4s5.5 2 5.9 5.4M15.3 5.6a3 3 0 0 1 0 5.8M17.2 14.4c2.3.5 3.7 2.3 4 5.1',
  dispute:
    'M4 4.5h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-7l-4.5 4v-4H4a1 1 0 0 1-1-1v-10a1 1 0 0 1 1-1zM12 7.5v4M12 13.6v.1',
  payment: 'M4 5.5h16a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1zM3 10h18M6.5 14.5h4',
  plus: 'M12 5v14M5 12h14',
  person: 'M8.4 8.2a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0M4.8 20c.6-3.8 3.3-6 7.2-6s6.6 2.2 7.2 6',
  key: 'M4 15.5a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M10.9 12.7L20 3.8M16.4 7.3l2.8 2.8',
  webhook: 'M4 12h11M11 8l4 4-4 4M17 5h3v14h-3',
  figures: 'M5 20v-7M10.3 20V5M15.7 20v-10M21 20H3',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M7 17a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
} as const

export type OfficeIconName = keyof typeof PATHS | IconName

const isOwn = (name: OfficeIconName): name is keyof typeof PATHS => Object.hasOwn(PATHS, name)

/** A decorative icon: the words beside it carry the meaning. `size` in CSS pixels. */
export function OfficeIcon({ name, size = 16 }: { name: OfficeIconName; size?: number }) {
  if (!isOwn(name)) return <Icon name={name} size={size} />
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      className="icon"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
