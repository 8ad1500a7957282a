import fs from 'node:fs';
import path from 'node:path';
import { sourceLocation } from '../../config/project/load-module.js';
import { StartError } from '../../errors/start-error.js';
import { findGuards, ownTexts, type RegisteredGuard } from '../project/own-guards.js';
import type { Anything } from '../strapi.js';

/**
 * Lets code register a guard that the service has as well.
 * @throws StartError with its place if the code may have changed it
 */
export type KeepsOwn = (kind: RegisteredGuard['kind']) => void;

/** Why guards of code that the service cannot run stop a start. */
export const refusals: Readonly<Record<RegisteredGuard['kind'], string>> = {
  strategy:
    "a changed copy of Strapi's authentication strategy cannot replace that of the service; use the unchanged one, and policies",
  sanitizer: 'strapi.sanitizers.add is not supported: remove fields with private: true, access.json or sanitizeOutput',
};

/** A file of the package of Strapi that brings these guards, which an extension can call as it is. */
const fileOfPackage = /(?:\s|\(|file:\/\/)(\/\S*\/node_modules\/@strapi\/plugin-users-permissions\/[^\s:()]+):\d+/;

/**
 * @param folder that of the project
 * @param own the hashes of unchanged files
 */
export const createKeepsOwn =
  (folder: string, own = ownTexts): KeepsOwn =>
  (kind) => {
    const call = new Error();
    const place = sourceLocation(call, folder);
    const ofProject = place === undefined ? undefined : path.join(folder, place.replace(/:\d+$/, ''));
    const file = fileOfPackage.exec(call.stack ?? '')?.[1] ?? ofProject;
    const registered = file === undefined ? [] : findGuards(file, fs.readFileSync(file, 'utf8'), own);
    const ofKind = registered.filter((guard) => guard.kind === kind);
    if (ofKind.length === 0 || !ofKind.every(({ isOwn }) => isOwn))
      throw new StartError(`${place === undefined ? '' : `${place}: `}${refusals[kind]}`);
  };

/** `strapi.sanitizers` and `strapi.validators`: functions of a model by path, such as `content-api.input`. */
export interface GuardRegistry {
  get(path: string): readonly ((model: unknown) => (data: Anything) => unknown)[];
  add(path: string, guard: Anything): GuardRegistry;
  set(path: string, guards?: Anything): GuardRegistry;
  has(path: string): boolean;
}

/** @param check is called before one is added */
export function createGuardRegistry(check: () => void): GuardRegistry {
  const guards = new Map<string, Anything[]>(
    ['input', 'output', 'query'].map((part) => [`content-api.${part}`, []] as const),
  );
  const registry: GuardRegistry = {
    get: (name) => guards.get(name) ?? [],
    has: (name) => name === 'content-api' || guards.has(name),
    add: (name, guard) => {
      check();
      guards.set(name, [...registry.get(name), guard]);
      return registry;
    },
    set: (name, replaced = []) => {
      for (const guard of [replaced].flat()) if (typeof guard === 'function') check();
      guards.set(name, [replaced].flat());
      return registry;
    },
  };
  return registry;
}
