import { counter } from '../counter.js';

const counted = counter('en');
const files = (count: number): string => counted(count, 'file', 'files');

/** The sentences about several files at once. */
export const several = {
  selected: (count: number): string => `${files(count)} selected`,
  selectAll: (count: number): string => `Select all ${files(count)}`,
  describeThem: 'Descriptions…',
  describe: (count: number): string => `Descriptions of ${files(count)}`,
  askMove: (count: number): string => `Move ${files(count)}`,
  askDelete: (count: number): string => `Delete ${files(count)}?`,
  disappear: 'What is deleted cannot be restored, and disappears from the entries that use it.',
  progress: {
    upload: (ended: number, all: number): string => `Uploading: ${ended} of ${files(all)}`,
    move: (ended: number, all: number): string => `Moving: ${ended} of ${files(all)}`,
    describe: (ended: number, all: number): string => `Saving: ${ended} of ${files(all)}`,
    delete: (ended: number, all: number): string => `Deleting: ${ended} of ${files(all)}`,
  },
  states: { waiting: 'Waiting', running: 'In progress…', done: 'Done', stopped: 'Stopped' },
  done: {
    upload: (count: number): string => `${files(count)} uploaded.`,
    move: (count: number): string => `${files(count)} moved.`,
    describe: (count: number): string => `Descriptions of ${files(count)} saved.`,
    delete: (count: number): string => `${files(count)} deleted.`,
  },
  failed: {
    upload: (failed: number, all: number): string => `Not uploaded: ${failed} of ${files(all)}`,
    move: (failed: number, all: number): string => `Not moved: ${failed} of ${files(all)}`,
    describe: (failed: number, all: number): string => `Not saved: ${failed} of ${files(all)}`,
    delete: (failed: number, all: number): string => `Not deleted: ${failed} of ${files(all)}`,
  },
  empty: 'It is empty.',
  larger: (megabytes: number): string => `It is larger than ${megabytes.toLocaleString('en')} MB.`,
  isBusy: 'Wait until what was begun before has ended.',
};
