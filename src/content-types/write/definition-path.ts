/** `api::article.article`, with the folder and the name. */
const typePattern = /^api::([a-z][a-z0-9-]*)\.([a-z][a-z0-9-]*)$/;
/** `shared.seo` */
const componentPattern = /^([\w-]+)\.([\w-]+)$/;

/**
 * Where `load` looks for the definition of a content type or component: the path below the folder of content types;
 * undefined if there is no such place.
 * @param isProject the folder is that of a Strapi v4 project
 */
export function definitionPath(uid: string, isProject: boolean): readonly string[] | undefined {
  const [, owner, name] = typePattern.exec(uid) ?? [];
  if (owner !== undefined && name !== undefined) {
    if (isProject) return ['src', 'api', owner, 'content-types', name, 'schema.json'];
    return owner === name ? [`${name}.json`] : undefined;
  }
  const [, category, component] = componentPattern.exec(uid) ?? [];
  if (category === undefined || component === undefined) return undefined;
  return [...(isProject ? ['src'] : []), 'components', category, `${component}.json`];
}
