import { existsSync, mkdirSync, writeFileSync } from 'node:fs'

/** The emulator serves the built workspace. Without a build, it serves this page with the token. */
export function setup(): void {
  const folder = new URL('../../dist/workspace/', import.meta.url)
  const page = new URL('index.html', folder)
  if (existsSync(page)) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(page, '<!doctype html><meta name="sidecard-token" content="__SIDECARD_TOKEN__">')
}
