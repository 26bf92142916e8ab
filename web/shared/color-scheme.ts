/** Light or dark: the user's choice, or that of the operating system. The embedding page decides for the importer. */
import { useSyncExternalStore } from 'react'
import { createValueStore } from './storage.ts'

export const COLOR_SCHEMES = ['system', 'light', 'dark'] as const
export type ColorScheme = (typeof COLOR_SCHEMES)[number]

const SCHEME_STORE = createValueStore(() => localStorage, 'wharf.colorScheme')
const listeners = new Set<() => void>()
let current: ColorScheme = 'system'

export const isColorScheme = (value: unknown): value is ColorScheme => COLOR_SCHEMES.some((scheme) => scheme === value)

export function showColorScheme(scheme: ColorScheme): void {
  current = scheme
  const { dataset } = document.documentElement
  if (scheme === 'system') delete dataset.theme
  else dataset.theme = scheme
  for (const listener of listeners) listener()
}

export function chooseColorScheme(scheme: ColorScheme): void {
  SCHEME_STORE.set(scheme)
  showColorScheme(scheme)
}

export function restoreColorScheme(): void {
  const stored = SCHEME_STORE.get()
  if (isColorScheme(stored)) showColorScheme(stored)
}

/** Calls the listener for a choice and for a change of the operating system. */
export function watchColorScheme(listener: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)')
  listeners.add(listener)
  media.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    media.removeEventListener('change', listener)
  }
}

export const useColorScheme = (): ColorScheme => useSyncExternalStore(watchColorScheme, () => current)
