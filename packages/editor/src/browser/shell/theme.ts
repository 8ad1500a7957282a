import { keep, readKept } from '../api/kept.js';

const KEY = 'content-service.theme';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const isTheme = (name: unknown): name is Theme => themes.some((theme) => theme === name);

/** The colors that were chosen in this browser. */
export function readTheme(): Theme {
  const kept = readKept('localStorage', KEY);
  return isTheme(kept) ? kept : 'system';
}

/** Shows the pages in light or dark colours, or as the system does. */
export function showTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}

export function chooseTheme(theme: Theme): void {
  keep('localStorage', KEY, theme);
  showTheme(theme);
}
