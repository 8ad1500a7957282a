import fs from 'node:fs';
import path from 'node:path';
import { startService } from './children.mjs';
import { cpuOf } from './cost.mjs';
import { medianOf } from './measure.mjs';

const corpus = path.join(import.meta.dirname, '..', '..', 'tests', 'fixtures', 'project-corpus');

/**
 * Measures second starts of the project of the corpus until the line `Ready`, with its code and with its definitions alone, in turns:
 * both on the embedded engine.
 */
export async function measureCodeStarts({ makeFolder, rounds }) {
  const { env } = JSON.parse(fs.readFileSync(path.join(corpus, 'world.json'), 'utf8'));
  const systems = [
    { name: 'with its code', copied: () => true },
    { name: 'definitions alone', copied: (file) => fs.statSync(file).isDirectory() || isDefinition(file) },
  ].map(({ name, copied }) => {
    const folder = makeFolder(name.replaceAll(' ', '-'));
    const project = path.join(folder, 'project');
    fs.cpSync(path.join(corpus, 'project'), project, { recursive: true, filter: copied });
    const settings = { ...env, CONTENT_TYPES: project, DATABASE: 'embedded', MONGODB_URI: '' };
    return { name, start: () => startService(settings, folder), starts: [] };
  });
  // The first starts fill the databases and are not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { start, starts } of systems) {
      const service = await start();
      const cpu = cpuOf(service.pid);
      await service.stop();
      if (round > 0) starts.push({ ready: service.ready, cpu });
    }
  }
  return systems.map(({ name, starts }) => ({
    name,
    ready: medianOf(starts, 'ready'),
    best: Math.min(...starts.map(({ ready }) => ready)),
    cpu: medianOf(starts, 'cpu'),
    worstReady: Math.max(...starts.map(({ ready }) => ready)),
  }));
}

const isDefinition = (file) =>
  /[\\/]src[\\/](?:.+[\\/])?(?:content-types|components|extensions)[\\/].+\.json$/.test(file);
