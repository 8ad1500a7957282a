/** A file that is not what the dynamic loader would take. */
export class ElfError extends Error {
  override readonly name = 'ElfError';
}
