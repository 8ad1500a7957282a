import type { ContentType } from '../../content-types/model/types.js';

/** The actions of Strapi v4. */
export const coreActions = ['find', 'findOne', 'create', 'update', 'delete'] as const;
export type CoreAction = (typeof coreActions)[number];

export const isCoreAction = (action: string): action is CoreAction => coreActions.some((core) => core === action);

/** The actions whose answerer is known: those of Strapi v4, by the routes that Strapi v4 has for them. */
export type AnsweredAction = CoreAction | 'createLocalization';

/** Who answers an action: the core, the core after policies of the project, code of the project, or nobody. */
export type Answerer = 'core' | 'guarded' | 'code' | 'none';
export type AnswererOf = (type: ContentType, action: AnsweredAction) => Answerer;

/**
 * A way to do actions of Strapi v4 that Strapi v4 does not have. It is there only if the core answers them, so it
 * bypasses no code.
 */
export interface Shortcut {
  readonly shortcutOf: readonly CoreAction[];
  /** It is there, too, if the project has policies before these actions: they run before it in the same way. */
  readonly allowedWithGuards: boolean;
}

/** Whether one of these answers each action of a content type. */
export const areAnsweredBy = (
  answerers: readonly Answerer[],
  answererOf: AnswererOf,
  type: ContentType,
  actions: readonly AnsweredAction[],
): boolean => actions.every((action) => answerers.includes(answererOf(type, action)));

/** Whether a shortcut is there for a content type. */
export const isOffered = (
  answererOf: AnswererOf,
  type: ContentType,
  { shortcutOf, allowedWithGuards }: Shortcut,
): boolean => areAnsweredBy(allowedWithGuards ? ['core', 'guarded'] : ['core'], answererOf, type, shortcutOf);
