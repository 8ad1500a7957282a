import { pipeline } from 'node:stream/promises';
import { GridFSBucket, type Db, type GridFSFile, type ObjectId } from 'mongodb';
import { isStoredName, type FileStore } from './file-store.js';
import { withMaxTimeMS, systemCommandOptions } from '../read/time-limits.js';
import { translated } from '../errors.js';

const BUCKET = '_uploads';

/** Files in GridFS, which all processes share without another service: `_uploads.files` and `_uploads.chunks`. */
export function openGridFiles(database: Db): FileStore {
  const db = withMaxTimeMS(database, systemCommandOptions.maxTimeMS);
  const bucket = new GridFSBucket(db, { bucketName: BUCKET });
  const files = db.collection<GridFSFile>(`${BUCKET}.files`);
  const find = (name: string): Promise<GridFSFile | null> =>
    translated(() => files.findOne({ filename: name }, { sort: { uploadDate: -1, _id: -1 } }));
  const removeAll = (ids: readonly ObjectId[]): Promise<void> =>
    translated(async () => {
      // The file is deleted first, so that no file without bytes can be found.
      await files.deleteMany({ _id: { $in: [...ids] } });
      await db.collection(`${BUCKET}.chunks`).deleteMany({ files_id: { $in: [...ids] } });
    });
  /** All other files with its name, which it replaces. */
  const removeOthers = async (name: string, current?: ObjectId): Promise<void> => {
    const stored = await translated(() => files.find({ filename: name }, { projection: { _id: 1 } }).toArray());
    await removeAll(stored.flatMap(({ _id }) => (current?.equals(_id) ? [] : [_id])));
  };
  return {
    put: async (name, content) => {
      if (!isStoredName(name)) throw new Error(`"${name}" cannot be the name of a stored file`);
      const upload = bucket.openUploadStream(name);
      try {
        await translated(() => pipeline(content, upload));
      } catch (error) {
        // An unavailable database cannot undo it; the sweep does.
        await removeAll([upload.id]).catch(() => undefined);
        throw error;
      }
      await removeOthers(name, (await find(name))?._id);
    },
    get: async (name) => {
      const stored = await find(name);
      if (stored === null) return undefined;
      const { _id, length, uploadDate } = stored;
      return {
        size: length,
        modified: uploadDate,
        version: _id.toHexString(),
        read: async (range) =>
          bucket.openDownloadStream(_id, range === undefined ? {} : { start: range.start, end: range.end + 1 }),
      };
    },
    remove: removeOthers,
    list: async function* () {
      for await (const { filename, uploadDate } of files.find({}, { projection: { filename: 1, uploadDate: 1 } })) {
        yield { name: filename, modified: uploadDate };
      }
    },
    removeUnfinished: async (before) => {
      for (const id of await findUnfinished(db)) if (id.getTimestamp() < before) await removeAll([id]);
    },
  };
}

/** Chunks without a file. Grouped by their index, so that their bytes are not read. */
async function findUnfinished(db: Db): Promise<readonly ObjectId[]> {
  const unfinished = db
    .collection(`${BUCKET}.chunks`)
    .aggregate<{ readonly _id: ObjectId }>([
      { $sort: { files_id: 1, n: 1 } },
      { $group: { _id: '$files_id' } },
      { $lookup: { from: `${BUCKET}.files`, localField: '_id', foreignField: '_id', as: 'file' } },
      { $match: { file: [] } },
      { $project: { _id: 1 } },
    ]);
  return (await translated(() => unfinished.toArray())).map(({ _id }) => _id);
}
