import { createReadStream } from 'node:fs';
import path from 'node:path';
import pLimit from 'p-limit';
import type { Entries } from '../../../documents/entries.js';
import type { UploadFile } from '../../../plugins/contract/forms.js';
import type { Reporter } from './reporter.js';
import { images } from './row.js';
import { refusalOf } from './seed-batch.js';
import type { SeedFile } from './seed-files.js';

/** The number of names in one query. */
const BATCH = 500;
/** The number of concurrent uploads: while one image is processed, others are read and stored. */
const CONCURRENCY = 4;

/**
 * Uploads images; skips images if their name is already in the media library. If several folders have an image with the
 * same name, the first one is uploaded and the others are reported, because images are identified by name.
 * @throws AppError unavailable when the database is away
 */
export async function seedImages(
  files: readonly SeedFile[],
  { entries, uploadFile }: { readonly entries: Entries; readonly uploadFile: UploadFile },
  { stopping, reporter }: { readonly stopping: AbortSignal; readonly reporter: Reporter },
): Promise<void> {
  let read = 0;
  let existing: ReadonlySet<unknown> = new Set();
  const firstOf = new Map(files.toReversed().map((file) => [recordedName(file), file]));
  const refuse = ({ name }: SeedFile, rule: string): void =>
    reporter.failed([{ file: name, line: undefined, type: images.uid, path: '', rule }]);
  const limit = pLimit(CONCURRENCY);
  const store = async (image: SeedFile): Promise<void> => {
    if (stopping.aborted) return;
    const [{ file, size }, name] = [image, recordedName(image)];
    const first = firstOf.get(name) ?? image;
    if (first !== image) refuse(image, `has the same name as ${first.name}: rows could not distinguish them`);
    else if (existing.has(name)) reporter.existing();
    else {
      const refusal = await refusalOf(() => uploadFile(name, createReadStream(file)));
      if (refusal === undefined) reporter.stored();
      else refuse(image, refusal.message);
    }
    reporter.read((read += size));
  };
  for (let start = 0; start < files.length && !stopping.aborted; start += BATCH) {
    const batch = files.slice(start, start + BATCH);
    const filters = { [images.key]: { $in: batch.map(recordedName) } };
    // Names are not unique: there can be more files than names.
    const pagination = { limit: -1 };
    const storedImages = await entries.findMany(images.uid, { filters, fields: [images.key], pagination });
    existing = new Set(storedImages.map((image) => image[images.key]));
    await limit.map(batch, store);
  }
}

/** As it is recorded: some systems take letters and their marks apart. */
const recordedName = ({ file }: SeedFile): string => path.basename(file).normalize();
