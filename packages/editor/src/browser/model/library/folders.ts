/** A folder of the library with those in it, by name. */
export interface Folder {
  readonly id: number;
  readonly name: string;
  readonly children: readonly Folder[];
}

/** Folders and files that are moved together. */
export interface Selected {
  readonly folders: readonly number[];
  readonly files: readonly number[];
}

/** The folders from the top to this one; empty if it does not exist. */
export function wayTo(folders: readonly Folder[], id: number | null): readonly Folder[] {
  for (const folder of folders) {
    if (folder.id === id) return [folder];
    const below = wayTo(folder.children, id);
    if (below.length > 0) return [folder, ...below];
  }
  return [];
}

/** The folders in one, or at the top. */
export const foldersIn = (folders: readonly Folder[], id: number | null): readonly Folder[] =>
  id === null ? folders : (wayTo(folders, id).at(-1)?.children ?? []);

/** Where folders can be moved: all that are not in one of them, each with its way from the top. */
export const destinations = (
  folders: readonly Folder[],
  moved: readonly number[],
  way: readonly string[] = [],
): readonly { readonly id: number; readonly label: string }[] =>
  folders
    .filter(({ id }) => !moved.includes(id))
    .flatMap(({ id, name, children }) => {
      const names = [...way, name];
      return [{ id, label: names.join(' / ') }, ...destinations(children, moved, names)];
    });

/** The orders of files, as the API sorts. */
export const fileOrders = { newest: 'id:desc', name: 'name:asc', largest: 'size:desc' } as const;

export type FileOrder = keyof typeof fileOrders;

const isOrder = (name: string): name is FileOrder => Object.hasOwn(fileOrders, name);

/** What is shown of the library. */
export interface LibraryState {
  /** Null: the top. */
  readonly folder: number | null;
  /** A kind of Strapi, e.g. `images`; empty: all. */
  readonly kind: string;
  /** Searched in all folders. */
  readonly text: string;
  readonly order: FileOrder;
  readonly page: number;
}

export const firstState: LibraryState = { folder: null, kind: '', text: '', order: 'newest', page: 1 };

/** The state that the query string of an address describes; what it does not understand is left out. */
export function parseLibraryState(search: string): LibraryState {
  const parameters = new URLSearchParams(search);
  const number = (name: string): number | null => {
    const value = Number(parameters.get(name));
    return Number.isSafeInteger(value) && value > 0 ? value : null;
  };
  const order = parameters.get('order') ?? '';
  return {
    folder: number('folder'),
    kind: parameters.get('kind') ?? '',
    text: parameters.get('search') ?? '',
    order: isOrder(order) ? order : firstState.order,
    page: number('page') ?? 1,
  };
}

/** The address of a state below that of the editor: only what differs from the first one. */
export function libraryAddress({ folder, kind, text, order, page }: LibraryState): string {
  const parameters = new URLSearchParams({
    ...(folder !== null && { folder: String(folder) }),
    ...(kind !== '' && { kind }),
    ...(text !== '' && { search: text }),
    ...(order !== firstState.order && { order }),
    ...(page > 1 && { page: String(page) }),
  });
  return parameters.size === 0 ? '/files' : `/files?${parameters.toString()}`;
}
