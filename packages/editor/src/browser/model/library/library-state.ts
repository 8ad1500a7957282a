/** The orders of files, as the API sorts. */
export const fileOrders = { newest: 'id:desc', name: 'name:asc', largest: 'size:desc' } as const;

export type FileOrder = keyof typeof fileOrders;

/** Files that need work: those without a text for who cannot see them, and those that no entry uses. */
export const worklists = ['undescribed', 'unused'] as const;

export type Worklist = (typeof worklists)[number];

export const pageSizes: readonly number[] = [24, 48, 96];

/** What is shown of the library. */
export interface LibraryState {
  /** Null: the top. */
  readonly folder: number | null;
  /** `documents`, or a kind of Strapi, e.g. `images`; empty: all. */
  readonly kind: string;
  /** Files of all folders; empty: those of the folder. */
  readonly worklist: Worklist | '';
  /** Searched in all folders. */
  readonly text: string;
  readonly order: FileOrder;
  readonly page: number;
  readonly pageSize: number;
}

export const firstState: LibraryState = {
  folder: null,
  kind: '',
  worklist: '',
  text: '',
  order: 'newest',
  page: 1,
  pageSize: 24,
};

/** Whether files of all folders are shown. */
export const isOfAllFolders = ({ text, worklist }: Pick<LibraryState, 'text' | 'worklist'>): boolean =>
  text !== '' || worklist !== '';

/** The state that the query string of an address describes; what it does not understand is left out. */
export function parseLibraryState(search: string): LibraryState {
  const parameters = new URLSearchParams(search);
  const number = (name: string): number | null => {
    const value = Number(parameters.get(name));
    return Number.isSafeInteger(value) && value > 0 ? value : null;
  };
  const among = <T extends string>(name: string, allowed: readonly T[]): T | undefined =>
    allowed.find((value) => value === parameters.get(name));
  const pageSize = number('pageSize') ?? 0;
  return {
    folder: number('folder'),
    kind: parameters.get('kind') ?? '',
    worklist: among('worklist', worklists) ?? '',
    text: parameters.get('search') ?? '',
    order: among('order', Object.keys(fileOrders) as readonly FileOrder[]) ?? firstState.order,
    page: number('page') ?? 1,
    pageSize: pageSizes.includes(pageSize) ? pageSize : firstState.pageSize,
  };
}

/** The address of a state below that of the editor: only what differs from the first one. */
export function libraryAddress(state: LibraryState): string {
  const { text, ...others } = state;
  const differing = Object.entries({ ...others, search: text }).filter(
    ([name, value]) => value !== (name === 'search' ? '' : firstState[name as keyof LibraryState]),
  );
  const parameters = new URLSearchParams(differing.map(([name, value]) => [name, String(value)]));
  return parameters.size === 0 ? '/files' : `/files?${parameters.toString()}`;
}

/** How many pages so many files have; at least one. */
export const pagesOf = (total: number, pageSize: number): number => Math.max(1, Math.ceil(total / pageSize));

/** A file, and its place among those that were shown when it was opened. */
export interface Opened {
  readonly id: number;
  readonly at: number;
}

/** A file that is to be opened, or the one at an end of another page. */
export type Step = Opened | { readonly page: number; readonly edge: 'first' | 'last' };

interface Shown {
  readonly ids: readonly number[];
  readonly page: number;
  readonly hasNext: boolean;
}

/**
 * Where one step leads from a file; undefined: nowhere. A file that is not shown any more, e.g. because it was
 * described, keeps its place.
 */
export function stepFrom({ id, at }: Opened, by: 1 | -1, { ids, page, hasNext }: Shown): Step | undefined {
  const index = ids.indexOf(id);
  const next = index >= 0 ? index + by : by === 1 ? at : at - 1;
  const found = ids[next];
  if (found !== undefined) return { id: found, at: next };
  if (by === 1) return hasNext ? { page: page + 1, edge: 'first' } : undefined;
  return page > 1 ? { page: page - 1, edge: 'last' } : undefined;
}

/** The file to which a step leads; undefined: the page that has it is not there yet. */
export function openedBy(step: Step, ids: readonly number[]): Opened | undefined {
  if ('id' in step) return step;
  const at = step.edge === 'first' ? 0 : ids.length - 1;
  const id = ids[at];
  return id === undefined ? undefined : { id, at };
}
