/** The content types of this plugin, as Strapi v4 names them. */
export const uids = {
  user: 'plugin::users-permissions.user',
  role: 'plugin::users-permissions.role',
  permission: 'plugin::users-permissions.permission',
} as const;
