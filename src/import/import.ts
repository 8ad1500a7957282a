import { parseWords } from '../process/parse-words.js';
import { StartError } from '../errors/start-error.js';
import { describeFailure, loadProject, withDatabase } from '../process/project.js';
import { count, createOutput } from '../process/terminal.js';
import { createReporter } from '../seed/reporter.js';
import { importBackup } from './backup/import-backup.js';
import { openBackup } from './backup/open-backup.js';
import { importSource, type Imported, type Importing } from './import-source.js';
import { openSource } from './kinds.js';
import { openLiveStrapiV3 } from './strapi-v3/open-strapi-v3.js';
import { openUploads } from './open-uploads.js';
import { describeSettings } from './settings.js';

const usage = `npm run import -- <archive of npm run export, or of strapi export> [--key <password>] [--accept-differences] [--remove-others] [--json]
    or: -- <dump of Strapi v3 | --from <uri>> --models <project of Strapi v3>
    --key <password>        of an encrypted archive
    --from <uri>            the MongoDB of a Strapi v3, which is only read
    --models <folder>       of the project of Strapi v3
    --accept-differences    leave out what the content types do not have
    --remove-others         first remove entries that are not in the archive
    --json                  print the result as JSON`;

/** 0 all is taken, 1 some could not be taken, 2 it could not begin or go on, 130 it was stopped. */
export type ImportExit = 0 | 1 | 2 | 130;

/**
 * Imports what `npm run export` or Strapi exported into the project of this folder: `npm run import`.
 * @param stopping stops it after the entries that are under way
 */
export async function runImport(args: readonly string[], stopping: AbortSignal): Promise<ImportExit> {
  try {
    const { place, from, key, models, json, ...options } = readArguments(args);
    const { say, result } = createOutput(json);
    const source = await openAny({ place, from, key, models });
    const { config, registry } = await loadProject();
    return await withDatabase(config, async (database) => {
      say(`Database: ${database.description}`);
      say(`Importing ${source.description}, ${count(source.size)} ${source.unit}`);
      const uploads = await openUploads(config, database);
      const tell = createReporter(source.work, say);
      try {
        const imported = await source.take({ registry, database, uploads, ...options, tell, say, stopping });
        const { stored, known } = tell.finish(stopping.aborted ? 'Stopped, run it again to go on' : 'Done');
        const { files, untaken } = imported;
        if (files > 0) say(`${count(files)} files stored`);
        const notes = [...untaken.lines(), ...describeSettings(imported.settings)];
        for (const line of notes) say(line);
        result({ stopped: stopping.aborted, stored, known, files, lost: untaken.lost, notes });
        if (stopping.aborted) return 130;
        return untaken.lost === 0 ? 0 : 1;
      } catch (error) {
        tell.finish('Broken off');
        throw error;
      }
    });
  } catch (error) {
    console.error(describeFailure(error));
    return 2;
  }
}

interface Importable {
  readonly description: string;
  readonly size: number;
  readonly unit: string;
  /** How much there is to deal with, each time that it is. */
  readonly work: number;
  readonly take: (importing: Importing) => Promise<Imported>;
}

async function openAny({ place, from, key, models }: Place): Promise<Importable> {
  const backup = from === undefined ? await openBackup(place) : undefined;
  if (backup !== undefined) {
    const { description, size } = backup;
    // It is read twice: once to know what is in it, once to write. Then all that is stored is checked.
    return { description, size, unit: 'bytes', work: 3 * size, take: (importing) => importBackup(backup, importing) };
  }
  const source = from === undefined ? await openSource(place, { key, models }) : await openLiveStrapiV3(from, models);
  const { description, size, unit } = source;
  return { description, size, unit, work: 2 * size, take: (importing) => importSource(source, importing) };
}

type Place = Pick<ReturnType<typeof readArguments>, 'place' | 'from' | 'key' | 'models'>;

const words = {
  key: { type: 'string' },
  from: { type: 'string' },
  models: { type: 'string' },
  'accept-differences': { type: 'boolean', default: false },
  'remove-others': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseWords({ args: [...args], options: words, allowPositionals: true }, usage);
  const { key, from, models, json, 'accept-differences': acceptDifferences, 'remove-others': removeOthers } = values;
  const [place = '', ...more] = positionals;
  if ((place === '') === (from === undefined) || more.length > 0) {
    throw new StartError(`One archive or dump must be named\n${usage}`);
  }
  return { place, from, key, models, json, acceptDifferences, removeOthers };
}
