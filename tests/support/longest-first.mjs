import Sequencer from '@jest/test-sequencer';

/** What takes longest, although the files are short. */
const longest = [
  'docs/operating',
  'conformance/corpus',
  'conformance/project',
  'interleavings/',
  'api/plugins/upload/folders-together',
  'api/cli/migrate/migrate',
  'api/strapi/project-code',
  'api/documents/interrupted-batch',
  'faults/',
  'docs/',
];

/** Starts long test files first. Without the times of an earlier run Jest starts with large files, and one process runs long ones at the end alone. */
export default class LongestFirst extends Sequencer {
  /** @param {Parameters<Sequencer['sort']>[0]} tests */
  sort(tests) {
    /** @param {{ readonly path: string }} test */
    const rankOf = ({ path }) => {
      const index = longest.findIndex((name) => path.includes(`/tests/${name}`));
      return index < 0 ? longest.length : index;
    };
    const bySize = Reflect.apply(super.sort, this, [tests]);
    return bySize.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
