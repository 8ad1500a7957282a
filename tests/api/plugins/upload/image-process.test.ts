import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { createImageProcess, type ImageProcess } from '../../../../src/plugins/upload/images/image-process.js';
import { parseSettings } from '../../../../src/plugins/upload/settings.js';
import { until } from '../../../support/until.js';
import { picture } from './media.js';

let folder: string;
let images: ImageProcess;
/** Of test files that this process ran before; some may be about to end. */
let earlier: readonly number[] = [];
beforeAll(async () => {
  earlier = workers();
  folder = await mkdtemp(path.join(os.tmpdir(), 'image-process-'));
  images = createImageProcess(parseSettings({ imagesAtOnce: 2 }));
});
afterAll(async () => {
  images.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The worker processes that this test file has started. */
function workers(): readonly number[] {
  return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('image-worker.mjs') && line.trim().split(/\s+/)[1] === String(process.pid))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => !earlier.includes(pid));
}

async function render(name: string, content: Buffer, type = 'image/png', sender = 'somebody') {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return images.render({ path: file, size: content.length, type }, await mkdtemp(path.join(folder, 'sizes-')), sender);
}

test('no process is started for files that are not images', async () => {
  expect(await render('a.zip', Buffer.from('PK'), 'application/zip')).toBeUndefined();
  expect(workers()).toEqual([]);
});

test('one process handles many images and reports those that it cannot process', async () => {
  const good = await picture(300, 200);
  const [one, other, bad] = await Promise.allSettled([
    render('1.png', good),
    render('2.png', await picture(100, 50)),
    render('3.png', good.subarray(0, 100)),
  ]);
  expect(one).toMatchObject({ value: { width: 300, height: 200, formats: [['thumbnail', { width: 234 }]] } });
  expect(other).toMatchObject({ value: { width: 100, height: 50 } });
  expect(bad).toMatchObject({ reason: { code: 'application', message: 'File is not a valid image' } });
  expect(workers()).toHaveLength(1);
});

test('a caller has a limited number of images in work, and others are not refused for it', async () => {
  const small = await picture(10, 10);
  const sent = Array.from({ length: 25 }, (_, index) => render(`many-${index}.png`, small, 'image/png', 'a'));
  const [settled] = await Promise.all([Promise.allSettled(sent), render('other.png', small, 'image/png', 'b')]);
  const refused = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  expect(refused).toEqual(Array(5).fill('tooManyRequests'));
});

test('large images are stored as they are and made smaller, except that a JPEG is written again', async () => {
  const [width, height] = [4400, 3000];
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  const photo = sharp({ create: { width, height, channels: 3, background: 'red', noise } });
  // Written again, both are smaller.
  const jpeg = await photo.clone().jpeg({ quality: 100 }).toBuffer();
  const tiff = await photo.clone().tiff({ compression: 'none' }).toBuffer();
  const formats = ['thumbnail', 'large', 'medium', 'small'].map((name) => [name, expect.anything()]);
  const kept = await render('kept.tif', tiff, 'image/tiff');
  expect(kept).toMatchObject({ path: path.join(folder, 'kept.tif'), size: tiff.length, width, height, formats });
  const written = await render('written.jpg', jpeg, 'image/jpeg');
  expect(written).toMatchObject({ path: expect.stringMatching(/optimised$/), width, height, formats });
});

test('an image with more pixels than a photo of 24 megapixels is refused before it is decoded', async () => {
  const photo = await picture(6048, 4032);
  expect(await render('photo.png', photo)).toMatchObject({ width: 6048 });
  const bomb = Buffer.from('UklGRh4AAABXRUJQVlA4TBEAAAAv/v/OAwdQxCIWsf+BiOh/AAA=', 'base64');
  await expect(render('bomb.webp', bomb, 'image/webp')).rejects.toMatchObject({
    message: 'The image has more than 25000000 pixels',
  });
});

test('an image is refused if its process crashes, and the next gets a new process', async () => {
  const [pid] = workers();
  if (pid === undefined) throw new Error('No process was started');
  const large = { path: path.join(folder, 'large.png'), size: 1, type: 'image/png' };
  await writeFile(large.path, await picture(5000, 5000));
  const working = images.render(large, folder, 'somebody');
  await setImmediate();
  process.kill(pid, 'SIGKILL');
  await expect(working).rejects.toMatchObject({ code: 'application', message: 'The image could not be processed' });
  expect(await render('4.png', await picture(10, 10))).toMatchObject({ width: 10 });
  expect(workers()).not.toContain(pid);
});

test('an image is refused if its process hangs, and the process is killed', async () => {
  const hasty = createImageProcess(parseSettings({ imageTime: 1 }));
  const pipe = { path: path.join(folder, 'nobody-writes.png'), size: 1, type: 'image/png' };
  execFileSync('mkfifo', [pipe.path]);
  const others = workers();
  const working = hasty.render(pipe, path.join(folder, 'hangs'), 'somebody');
  await until(async () => workers().length === others.length + 1);
  await expect(working).rejects.toMatchObject({ code: 'application', message: 'The image could not be processed' });
  expect(workers()).toEqual(others);
});

test('the process ends only without an image in it, however long one takes', async () => {
  images.stop();
  await until(async () => workers().length === 0);
  const patient = createImageProcess(parseSettings({ imagesAtOnce: 2, imageTime: 60 }));
  const pipe = { path: path.join(folder, 'slow.png'), size: 1, type: 'image/png' };
  execFileSync('mkfifo', [pipe.path]);
  const slow = patient.render(pipe, folder, 'somebody').catch(String);
  const timeouts = jest.spyOn(globalThis, 'setTimeout');
  const quick = { path: path.join(folder, '1.png'), size: 1, type: 'image/png' };
  await patient.render(quick, await mkdtemp(path.join(folder, 'sizes-')), 'somebody');
  const started = workers();
  for (const [ended, milliseconds] of timeouts.mock.calls) if (milliseconds === 30_000) ended();
  timeouts.mockRestore();
  await patient.render(quick, await mkdtemp(path.join(folder, 'sizes-')), 'somebody');
  expect(workers()).toEqual(started);
  // It would wait for the pipe at its end.
  for (const pid of started) process.kill(pid, 'SIGKILL');
  expect(await slow).toContain('The image could not be processed');
});

test('stop() ends the process', async () => {
  images.stop();
  await until(async () => workers().length === 0);
  expect(workers()).toEqual([]);
});
