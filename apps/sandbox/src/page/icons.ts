const SHAPES = {
  bank: '<path d="M2.5 6.2 8 2.8l5.5 3.4M3.2 13.2h9.6M4.4 7.4v4.4M8 7.4v4.4M11.6 7.4v4.4"/>',
  bolt: '<path d="M8.8 1.8 3.6 9h4l-.4 5.2L12.4 7h-4z"/>',
  list: '<path d="M5.6 4h8M5.6 8h8M5.6 12h8M2.4 4h.01M2.4 8h.01M2.4 12h.01"/>',
  lock: '<path d="M3.6 7.2h8.8v6H3.6zM5.4 7.2V5a2.6 2.6 0 0 1 5.2 0v2.2"/>',
  clock: '<circle cx="8" cy="8" r="5.8"/><path d="M8 4.8V8l2.2 1.4"/>',
  pause: '<path d="M5.6 3.6v8.8M10.4 3.6v8.8"/>',
  check: '<path d="m3 8.4 3.2 3.2L13 4.8"/>',
  cross: '<path d="m4 4 8 8M12 4l-8 8"/>',
  dots: '<path d="M3.4 8h.01M8 8h.01M12.6 8h.01"/>',
  signal: '<path d="M3 13v-2.4M6.4 13V8.2M9.8 13V5.6M13.2 13V3"/>',
  mail: '<path d="M2 3.8h12v8.4H2zM2 4.4l6 4.4 6-4.4"/>',
  phone: '<path d="M4.8 1.8h6.4v12.4H4.8zM7.4 12h1.2"/>',
  letter: '<path d="M3.6 1.8h5.6l3.2 3.2v9.2H3.6zM9 1.8v3.4h3.4"/>',
  book: '<path d="M3 3.4c1.8-.8 3.6-.8 5 .4 1.4-1.2 3.2-1.2 5-.4v9c-1.8-.8-3.6-.8-5 .4-1.4-1.2-3.2-1.2-5-.4zM8 3.8v9"/>',
  inbox: '<path d="M2.2 9.4 4.4 3h7.2l2.2 6.4v3.8H2.2zM2.2 9.4h3.4l.8 1.6h3.2l.8-1.6h3.4"/>',
  invoice: '<path d="M3.6 1.8h8.8v12.4l-2.2-1.4-2.2 1.4-2.2-1.4-2.2 1.4zM6 5.2h4M6 8h4"/>',
} as const

export type Icon = keyof typeof SHAPES

/** A drawing of the page's one set; always beside a word, so it is hidden from screen readers. */
export function renderIcon(icon: Icon): string {
  return `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${SHAPES[icon]}</svg>`
}
