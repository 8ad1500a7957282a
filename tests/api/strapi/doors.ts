import type { RunningProject } from './project-folder.js';

/** The status by which a guard of the tests refuses a request with the header `x-refuse`. */
export const REFUSED = 418;

/** A request to a running project, by a way of its own into the service. */
export type Door = readonly [name: string, path: string, options?: () => RequestInit];

export const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
export const form = (): RequestInit => {
  const body = new FormData();
  body.append('files', new Blob(['text'], { type: 'text/plain' }), 'text.txt');
  return { method: 'POST', body };
};
/** The status of a door's answer to a request that the guard refuses, or to one that it lets pass. */
async function statusAt({ fetch }: RunningProject, [, path, options]: Door, isRefused: boolean): Promise<number> {
  const { headers, ...rest } = options?.() ?? {};
  const sent = { ...(headers as object), ...(isRefused && { 'x-refuse': 'yes' }) };
  const response = await fetch(path, { redirect: 'manual', ...rest, headers: sent });
  await response.body?.cancel();
  return response.status;
}

/** The statuses by the names of the doors. */
export const statusesOf = async (
  project: RunningProject,
  doors: readonly Door[],
  isRefused: boolean,
): Promise<object> => {
  const statuses: [string, number][] = [];
  for (const door of doors) statuses.push([door[0], await statusAt(project, door, isRefused)]);
  return Object.fromEntries(statuses);
};
