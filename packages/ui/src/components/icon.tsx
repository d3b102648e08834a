/** Line icons on a 24 grid, stroke 1.75 (2 at 16 px), in the colour of the text around them. */

const PATHS = {
  alert: 'M3.3 12a8.7 8.7 0 1 0 17.4 0a8.7 8.7 0 1 0 -17.4 0M12 7.5v5.2M12 16.2v.1',
  'arrow-down': 'M12 5v13.5M6.5 13l5.5 5.5L17.5 13',
  'arrow-left': 'M19 12H5.5M11 6.5L5.5 12l5.5 5.5',
  bank: 'M4 10l8-5.5L20 10H4zM6 10v7M10 10v7M14 10v7M18 10v7M4 20h16M4.5 17h15',
  bell: 'M6.5 10a5.5 5.5 0 0 1 11 0c0 5 2 6.5 2 6.5h-15s2-1.5 2-6.5zM10.2 19.5a2 2 0 0 0 3.6 0',
  calendar:
    'M6 5h12a2.5 2.5 0 0 1 2.5 2.5v10.5a2.5 2.5 0 0 1 -2.5 2.5h-12a2.5 2.5 0 0 1 -2.5 -2.5v-10.5a2.5 2.5 0 0 1 2.5 -2.5zM3.5 10h17M8 3v4M16 3v4',
  'calendar-tick':
    'M6 5h12a2.5 2.5 0 0 1 2.5 2.5v10.5a2.5 2.5 0 0 1 -2.5 2.5h-12a2.5 2.5 0 0 1 -2.5 -2.5v-10.5a2.5 2.5 0 0 1 2.5 -2.5zM3.5 10h17M8 3v4M16 3v4M9 15.2l2 2 4-4',
  check: 'M5 12.5l4.7 4.7L19.5 7.5',
  clock: 'M3.3 12a8.7 8.7 0 1 0 17.4 0a8.7 8.7 0 1 0 -17.4 0M12 7.2V12l3.2 2',
  copy: 'M10.5 8.5h7.5a2 2 0 0 1 2 2v7.5a2 2 0 0 1 -2 2h-7.5a2 2 0 0 1 -2 -2v-7.5a2 2 0 0 1 2 -2zM15.5 8.5V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v9.5a1 1 0 0 0 1 1h3.5',
  download: 'M12 4v11M7.5 11l4.5 4.5L16.5 11M4.5 19.5h15',
  document:
    'M6 3.5h8l4.5 4.5v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4.5a1 1 0 0 1 1-1zM13.8 3.5V8.3h4.7M8.5 13h7M8.5 16.5h5',
  'chevron-down': 'M6 9.5l6 6 6-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  hash: 'M10 4L8 20M16 4l-2 16M4.5 9h16M3.5 15h16',
  building:
    'M5 20.5V4.5a1 1 0 0 1 1-1h7a1 1 0 0 1 1 1v16M14 9.5h4a1 1 0 0 1 1 1v10M3 20.5h18M8 7.5h3M8 11.5h3M8 15.5h3',
  'id-card':
    'M5.5 5h13a2.5 2.5 0 0 1 2.5 2.5v9a2.5 2.5 0 0 1 -2.5 2.5h-13a2.5 2.5 0 0 1 -2.5 -2.5v-9a2.5 2.5 0 0 1 2.5 -2.5zM7 10.3a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0 -3.8 0M6 16c.3-1.7 1.4-2.6 2.9-2.6s2.6.9 2.9 2.6M14.5 10h3.5M14.5 14h3.5',
  eye: 'M3 12s3.3-6 9-6 9 6 9 6-3.3 6-9 6-9-6-9-6zM9.5 12a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0',
  outside: 'M13.5 4.5h6v6M19.5 4.5l-9 9M17.5 14v5a1 1 0 0 1-1 1H5.5a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h5',
  flag: 'M6 21V4.5M6 5c4-2.2 7 2 12.5 0v8.5c-5.5 2-8.5-2.2-12.5 0',
  info: 'M3.3 12a8.7 8.7 0 1 0 17.4 0a8.7 8.7 0 1 0 -17.4 0M12 11.2v5M12 7.7v.1',
  'chevron-left': 'M14.5 6l-6 6 6 6',
  help: 'M3.3 12a8.7 8.7 0 1 0 17.4 0a8.7 8.7 0 1 0 -17.4 0M9.6 9.5a2.5 2.5 0 1 1 3.5 2.5c-.8.4-1.1.9-1.1 1.8M12 16.6v.1',
  mail: 'M5.5 5.5h13a2.5 2.5 0 0 1 2.5 2.5v8.5a2.5 2.5 0 0 1 -2.5 2.5h-13a2.5 2.5 0 0 1 -2.5 -2.5v-8.5a2.5 2.5 0 0 1 2.5 -2.5zM3.5 7.5L12 13.5l8.5-6',
  'log-out': 'M14 4.5H6a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1h8M10.5 12H20M16.5 8.5L20 12l-3.5 3.5',
  parts: 'M3.3 12a8.7 8.7 0 1 0 17.4 0a8.7 8.7 0 1 0 -17.4 0M12 12V3.3M12 12l7.5 4.4M12 12l-7.5 4.4',
  pause: 'M3.3 12a8.7 8.7 0 1 0 17.4 0a8.7 8.7 0 1 0 -17.4 0M10 9v6M14 9v6',
  receipt: 'M6 3.5h12v17l-2-1.3-2 1.3-2-1.3-2 1.3-2-1.3-2 1.3zM9 8.5h6M9 12.5h6',
  'chevron-right': 'M9.5 6l6 6-6 6',
  scales: 'M12 4v16M8 20h8M5 7h14M5 7l-2.5 6a2.5 2.5 0 0 0 5 0zM19 7l-2.5 6a2.5 2.5 0 0 0 5 0z',
  send: 'M20.5 3.5L10.5 13.5M20.5 3.5l-6.3 17-3.7-7-7-3.7z',
  shield: 'M12 3.3l7 2.7v5.5c0 4.3-2.8 7.5-7 9.2-4.2-1.7-7-4.9-7-9.2V6zM9 12l2.2 2.2L15.3 10',
  phone:
    'M6.5 3.8h3l1.4 4-2 1.5a12 12 0 0 0 5.8 5.8l1.5-2 4 1.4v3a1.7 1.7 0 0 1-1.8 1.7A16.5 16.5 0 0 1 4.8 5.6 1.7 1.7 0 0 1 6.5 3.8z',
  tick: 'M3.3 12a8.7 8.7 0 1 0 17.4 0a8.7 8.7 0 1 0 -17.4 0M8 12.3l2.8 2.8L16 9.7',
  close: 'M6 6l12 12M18 6L6 18',
  transfer: 'M4 8.5h14.5M15 5l3.5 3.5L15 12M20 15.5H5.5M9 12l-3.5 3.5L9 19',
  mobile:
    'M9.1 2.8h5.8a2.6 2.6 0 0 1 2.6 2.6v13.2a2.6 2.6 0 0 1 -2.6 2.6h-5.8a2.6 2.6 0 0 1 -2.6 -2.6v-13.2a2.6 2.6 0 0 1 2.6 -2.6zM10.8 18.2h2.4',
} as const

export type IconName = keyof typeof PATHS
export const ICON_NAMES = /* @__PURE__ */ Object.keys(PATHS) as IconName[]

/** A decorative icon: the words beside it carry the meaning. `size` in CSS pixels. */
export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size <= 16 ? 2 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="icon"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
