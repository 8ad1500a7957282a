import { randomName } from '../model/random-name.js';

type Place = 'localStorage' | 'sessionStorage';

/** What the browser keeps under a name, for all tabs or for this one. Browsers that keep nothing refuse each access. */
export function readKept(place: Place, name: string): string | undefined {
  try {
    return globalThis[place].getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** What the browser keeps as JSON; undefined if it keeps nothing, or something else. */
export function readKeptJson(place: Place, name: string): unknown {
  try {
    return (JSON.parse(readKept(place, name) ?? '') as unknown) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text, or forgets it. What is too long for the browser is not kept, and the former text neither. */
export function keep(place: Place, name: string, text: string | undefined): void {
  try {
    if (text === undefined) globalThis[place].removeItem(name);
    else globalThis[place].setItem(name, text);
  } catch {
    if (text !== undefined) keep(place, name, undefined);
  }
}

/** The names that begin so, under which the browser keeps something. */
export function keptNames(place: Place, prefix: string): readonly string[] {
  try {
    return Object.keys(globalThis[place]).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}

const TAB = 'content-service.tab';

/** Tells this tab from others; reloading keeps it. */
export function thisTab(): string {
  const kept = readKept('sessionStorage', TAB);
  if (kept !== undefined) return kept;
  const tab = randomName();
  keep('sessionStorage', TAB, tab);
  return tab;
}

/** Forgets all that is kept for this tab. */
export function forgetTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Nothing is kept.
  }
}
