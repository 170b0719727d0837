/** The paths of the icons, on a 16 by 16 grid. */
const PATHS = {
  out: 'M6 3.5H3.5v9h9V10M9 2.5h4.5V7M13 3 7.5 8.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  reload: 'M13 8a5 5 0 1 1-1.6-3.7L13 5.8M13 2.5v3.3H9.7',
  plug: 'M5.5 2v3M10.5 2v3M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0zM8 12v2.5',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5.2a2.5 2.5 0 0 1 5 0v2.3',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M13.5 13.5l-3.3-3.3',
  plus: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  alert: 'M8 2 14.5 13.5h-13zM8 6.5v3M8 11.5h.01',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  moon: 'M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7',
  system: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.5h6',
  play: 'M5 3.2v9.6L12.5 8z',
  code: 'm5.5 4.5-3.5 3.5 3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4M6.7 6.5v4.5M9.3 6.5v4.5',
  edit: 'M10.8 2.7 13.3 5.2 5.5 13 2.5 13.5 3 10.5zM9.3 4.2l2.5 2.5',
  image: 'M2 3h12v10H2zM2 11l3.5-3.5L8.5 10.5l2-2L14 12M10.5 6h.01',
  link: 'M6.5 9.5l3-3M7 5l1.6-1.6a2.5 2.5 0 0 1 3.6 3.6L10.6 8.6M9 11l-1.6 1.6a2.5 2.5 0 0 1-3.6-3.6L5.4 7.4',
  down: 'm4 6 4 4 4-4',
  save: 'M3 3h8l2 2v8H3zM5.5 3v3.5h4V3M5.5 13V9.5h5V13',
  grid: 'M2.5 2.5h4.5V7H2.5zM9 2.5h4.5V7H9zM2.5 9H7v4.5H2.5zM9 9h4.5v4.5H9z',
  sidebar: 'M2 3h12v10H2zM9.5 3v10',
  terminal: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8.5 10h3',
  command: 'M3 8h.01M8 8h5M3 4.5h10M3 11.5h10',
  issues: 'M2 3.5h12v7H8.5L5.5 13v-2.5H2z',
} as const

/** The name of an icon. */
export type IconName = keyof typeof PATHS

interface IconProps {
  readonly name: IconName
  /** In CSS pixels. @default 16 */
  readonly size?: number
}

/** A decorative icon next to a word. */
export function Icon({ name, size = 16 }: IconProps) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width={size} height={size} aria-hidden>
      <path d={PATHS[name]} />
    </svg>
  )
}
