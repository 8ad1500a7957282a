import fs from 'node:fs';
import net from 'node:net';

/** Listens on a port of an address, or on a Unix socket that is for this user only. */
export async function listen(server: net.Server, address: string, port: number): Promise<void> {
  const isPath = address.includes('/');
  if (isPath && (await isStale(address))) fs.rmSync(address);
  const mask = process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(isPath ? { path: address } : { host: address, port }, resolve);
    });
  } finally {
    process.umask(mask);
  }
}

/** Is this a stale socket of a process that was killed? */
async function isStale(file: string): Promise<boolean> {
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isSocket()) return false;
  return new Promise((resolve) => {
    const probe = net.connect(file, () => {
      probe.destroy();
      resolve(false);
    });
    probe.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
