/** The sentences about folders of the library. */
export const folders = {
  way: 'Folders',
  newFolder: 'New folder',
  rename: 'Rename',
  moveTo: 'Move to…',
  moveFolder: 'Move the folder',
  moveFile: 'Move the file',
  destination: 'Into the folder',
  move: 'Move',
  moved: 'Moved.',
  folder: (name: string): string => `Folder ${name}`,
  isEmpty: 'Nothing is in this folder.',
  inAll: 'The search covers all folders.',
  wasDeleted: 'This folder does not exist.',
  deleteFolder: 'Delete the folder',
  askDelete: 'Delete this folder?',
  onlyEmpty: 'It is deleted if nothing is in it.',
  askContents: 'Delete all that is in the folder?',
  contentsDisappear:
    'The folder is not empty. The files in it and in the folders below it cannot be restored, and disappear from the entries that use them.',
  deleteAll: 'Delete all',
  deleted: 'The folder was deleted.',
};
