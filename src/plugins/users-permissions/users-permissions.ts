import type { PluginFactory } from '../plugin.js';
import { definitions } from './definitions.js';

/** Users and their roles: the types that the owner's content may lead to. */
export const createUsersPermissions: PluginFactory = () => ({ name: 'users-permissions', contentTypes: definitions });
