import type { BuiltInContext } from '../../contract/built-in.js';
import { FILE, fileTypeOf } from '../definitions.js';
import { possibleHashes } from '../storage/sweep.js';

/** The number of names whose files are looked up at once. */
const BATCH = 5000;

/**
 * The ids of all files that entries use: in their fields, or by an address in their texts. Neither rights nor drafts
 * matter, because a file that is not among these can be deleted.
 */
export async function findUsedFiles({
  documents,
  entries,
  registry,
}: Pick<BuiltInContext, 'documents' | 'entries' | 'registry'>): Promise<ReadonlySet<number>> {
  const type = fileTypeOf(registry);
  const used = new Set(await documents.uses.idsOf(type));
  const hashes = [...new Set([...(await documents.uses.namesInTextsBeside(type))].flatMap(possibleHashes))];
  for (let start = 0; start < hashes.length; start += BATCH) {
    const filters = { hash: { $in: hashes.slice(start, start + BATCH) } };
    const files = await entries.findMany(FILE, { filters, fields: ['id'], pagination: { limit: -1 } });
    for (const { id } of files) used.add(id);
  }
  return used;
}
