import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { startService } from './children.mjs';
import { memoryOf } from './cost.mjs';

const size = 5_000_000;
const sharp = createRequire(import.meta.url)('sharp');
/** Milliseconds between two looks at the memory. */
const glance = 50;

/** The uploaded files: bytes that are only stored, and photographs, which are resized. */
const contents = {
  'any bytes': async () => ({ type: 'application/octet-stream', name: 'a.bin', bytes: randomBytes(size) }),
  photographs: async () => ({ type: 'image/jpeg', name: 'a.jpg', bytes: await noise(2400, 1600) }),
};

/** A JPEG that is about as large as a photograph of its size in the best quality: 5 MB. */
function noise(width, height) {
  const raw = { width, height, channels: 3 };
  return sharp(randomBytes(width * height * 3), { raw })
    .jpeg({ quality: 95 })
    .toBuffer();
}

/**
 * Uploads 200 files, and watches the memory of the service meanwhile.
 * @param environment says which database: `{ MONGODB_URI, DATABASE_NAME }`
 */
export async function measureUploads(provider, what, environment, folder, connections, amount = 200) {
  fs.mkdirSync(path.join(folder, 'config'), { recursive: true });
  const plugins = { upload: { config: { provider } } };
  fs.writeFileSync(path.join(folder, 'config', 'plugins.json'), JSON.stringify(plugins));
  const file = await contents[what]();
  const service = await startService(environment, folder);
  const start = memoryOf(service.pid);
  let most = start;
  const watching = setInterval(() => (most = Math.max(most, memoryOf(service.pid))), glance);
  const begin = performance.now();
  let left = amount;
  const send = async () => {
    while (left > 0) {
      left -= 1;
      const form = new FormData();
      form.set('files', new Blob([file.bytes], { type: file.type }), file.name);
      const { url, headers } = service;
      const answer = await fetch(`${url}/api/upload`, { method: 'POST', body: form, headers });
      if (!answer.ok) throw new Error(`An upload was answered with ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: connections }, send));
  const seconds = (performance.now() - begin) / 1000;
  clearInterval(watching);
  await service.stop();
  return { name: `${what}, ${provider}`, megabytes: file.bytes.length / 1e6, rate: amount / seconds, start, most };
}

/** The measured combinations: each content in each store that needs nothing else to run. */
export const uploads = ['local', 'gridfs'].flatMap((provider) =>
  Object.keys(contents).map((what) => ({ provider, what })),
);
