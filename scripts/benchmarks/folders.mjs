import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Returns a function that makes a folder of this name in a temporary one, which is removed when the process exits. */
export function openFolders(prefix) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), prefix));
  process.on('exit', () => fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  return (name) => {
    const folder = path.join(root, name);
    fs.mkdirSync(folder, { recursive: true });
    return folder;
  };
}
