/** Why the embedded engine cannot run on this system. */
export class EmbeddedUnavailable extends Error {
  override readonly name = 'EmbeddedUnavailable';
}
