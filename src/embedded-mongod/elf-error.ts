/** A file that the dynamic loader would refuse. */
export class ElfError extends Error {
  override readonly name = 'ElfError';
}
