const KEY = 'content-service.theme';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The colours that were chosen in this browser. */
export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return themes.find((theme) => theme === kept) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Shows the pages in light or dark colours, or as the system does. */
export function showTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  showTheme(theme);
}
