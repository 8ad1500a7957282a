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
