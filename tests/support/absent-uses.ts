import { absentMembers, absentServices, serviceCall } from '../../src/strapi/absent-members.js';

/** How code writes the objects whose names are no expressions. */
const expressions: Readonly<Record<string, string>> = {
  'strapi.db.query(uid)': "strapi.db.query('plugin::users-permissions.user')",
  '@strapi/strapi': "require('@strapi/strapi')",
  '@strapi/utils': "require('@strapi/utils')",
  factories: "require('@strapi/strapi').factories",
  'strapi.api.name': 'strapi.api.note',
  'strapi.plugin(name)': "strapi.plugin('upload')",
};

/**
 * A call of everything that Strapi v4 has and the service does not, with the name that the report and the error have.
 */
export const usesOfAbsent = (): readonly { readonly name: string; readonly code: string }[] => [
  ...Object.entries(absentMembers).flatMap(([object, members]) =>
    members
      .split(' ')
      .map((member) => ({ name: `${object}.${member}`, code: `${expressions[object] ?? object}.${member}()` })),
  ),
  ...Object.entries(absentServices).flatMap(([namespace, services]) =>
    services.split(' ').map((service) => {
      const name = `${serviceCall(namespace, service)}.any`;
      return { name, code: `${name}()` };
    }),
  ),
];
