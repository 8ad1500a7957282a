import fs from 'node:fs';
import path from 'node:path';
import { startService } from './children.mjs';
import { cpuOf } from './cost.mjs';
import { medianOf } from './measure.mjs';

const corpus = path.join(import.meta.dirname, '..', '..', 'tests', 'fixtures', 'project-corpus');

/**
 * Measures second starts of the project of the corpus until the line `Ready`, with its code and with its definitions
 * alone, in turns: both on the embedded engine.
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
    return { name, start: () => startService(settings, folder) };
  });
  return measureInTurns(systems, rounds);
}

/**
 * Measures second starts of a service for the benchmark's content types until the line `Ready`, with and without
 * assistants, in turns.
 */
export async function measureMcpStarts({ makeFolder, rounds }) {
  const systems = [
    { name: 'with the plugin `mcp`', enabled: true },
    { name: 'without it', enabled: false },
  ].map(({ name, enabled }) => {
    const folder = makeFolder(`mcp-${enabled}`);
    fs.mkdirSync(path.join(folder, 'config'));
    fs.writeFileSync(path.join(folder, 'config', 'plugins.json'), JSON.stringify({ mcp: enabled }));
    return { name, start: () => startService({ DATABASE: 'embedded', MONGODB_URI: '' }, folder) };
  });
  return measureInTurns(systems, rounds);
}

async function measureInTurns(systems, rounds) {
  const measured = systems.map((system) => ({ ...system, starts: [] }));
  // The first starts fill the databases and are not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { start, starts } of measured) {
      const service = await start();
      const cpu = cpuOf(service.pid);
      await service.stop();
      if (round > 0) starts.push({ ready: service.ready, cpu });
    }
  }
  return measured.map(({ name, starts }) => ({
    name,
    ready: medianOf(starts, 'ready'),
    best: Math.min(...starts.map(({ ready }) => ready)),
    cpu: medianOf(starts, 'cpu'),
    worstReady: Math.max(...starts.map(({ ready }) => ready)),
  }));
}

const isDefinition = (file) =>
  /[\\/]src[\\/](?:.+[\\/])?(?:content-types|components|extensions)[\\/].+\.json$/.test(file);
