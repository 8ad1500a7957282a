import type { Plugin } from '../plugin.js';
import { definitions } from './definitions.js';

/** Users and their roles: the types that the owner's content may lead to. */
export const usersPermissions: Plugin = { name: 'users-permissions', contentTypes: definitions };
