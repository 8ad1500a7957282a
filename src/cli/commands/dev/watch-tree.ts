import { readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';

/**
 * Reports which file in or below a folder has changed. Each folder is watched separately: a recursive watch of Node 20 loses
 * a file that an editor replaces by another.
 */
export function watchTree(folder: string, onChange: (file: string) => void, watched = new Set<string>()): void {
  if (watched.has(folder)) return;
  watched.add(folder);
  const watcher = watch(folder, (_, name) => {
    const file = path.join(folder, name ?? '');
    if (isFolder(file)) watchTree(file, onChange, watched);
    if (!isFolder(folder)) {
      watcher.close();
      watched.delete(folder);
    }
    onChange(file);
  });
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) watchTree(path.join(folder, entry.name), onChange, watched);
  }
}

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
