import { defined, type Data } from '../../config/record.js';
import { namesOfEntries } from '../../content-types/model/names-of-entries.js';
import { isLocalized, isShared } from '../../content-types/model/localized.js';
import type {
  Attribute,
  Component,
  ContentType,
  MorphedAttribute,
  Registry,
  RelationAttribute,
} from '../../content-types/model/types.js';
import { allowedComponents, isComponentList, reachableModels } from '../../content-types/model/walk.js';
import { isOtherSideWithheld } from '../../documents/input/permitted-data.js';
import type { Caller } from '../../documents/caller.js';
import { isOwnType, pathNameOf } from '../../documents/listings.js';
import { hidesDrafts } from '../../documents/hide-drafts.js';
import { canReadRelation } from '../../documents/rights.js';
import { mayAsk, mayAskOfDeleted } from '../../documents/write/rights-of-asks.js';
import { isStoredInTarget } from '../../mongo/stored/relation.js';
import { USER } from './access/parse-permissions.js';
import { isOffered, type AnswererOf } from './answerer.js';
import { contentTypeRoutes } from './content-type-routes.js';
import type { AuthServices, HttpServices, ServiceSettings } from './plugin-context.js';

const actions = ['find', 'findOne', 'create', 'update', 'delete', 'createLocalization'] as const;
const FILE = 'plugin::upload.file';
const FOLDER = 'plugin::upload.folder';
const ROLE = 'plugin::users-permissions.role';

/** Paths and actions that are not named like those of content types. */
const special: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [USER]: { delete: 'destroy' },
  [ROLE]: { path: 'users-permissions/roles', create: 'createRole', update: 'updateRole', delete: 'deleteRole' },
};
const actionOf = (uid: string, name: string): string => `${uid}.${special[uid]?.[name] ?? name}`;

/** The content types, and what the description depends on beside them. */
interface Context {
  readonly registry: Registry;
  readonly auth: Pick<AuthServices, 'actions'>;
  readonly settings: Pick<ServiceSettings, 'drafts'>;
  readonly http: Pick<HttpServices, 'fileLimit' | 'reachable' | 'answererOf'>;
}

/** The path of the request to publish an entry. */
export const reviewPath = (type: ContentType): string => `/${pathNameOf(type)}/:id/review`;

/**
 * The content types, components and attributes that the permissions of a caller cover, with the rules of their values.
 * It shows no entries, and grants nothing: each request of its readers is checked like any other.
 * @param previews the addresses at which a site shows entries, by the uid of their content type
 */
export function describeContent(
  { registry: { contentTypes, components }, auth, settings, http }: Context,
  caller: Caller,
  previews: Readonly<Record<string, string>> = {},
) {
  const rightsTo = (owner: string, ...names: readonly string[]): Data =>
    Object.fromEntries(names.map((name) => [name, caller.may(`${owner}.${name}`)]));
  const types = [...contentTypes.values()].filter((type) => isOwnType(type) || type.uid in special);
  const visibleTypes = types.filter(({ uid }) => actions.some((action) => caller.may(actionOf(uid, action))));
  const used = new Set(reachableModels(visibleTypes, allowedComponents));
  const paths = new Set(http.reachable().routes.map(({ path }) => path));
  const files = contentTypes.get(FILE);
  const keepsFiles = files !== undefined && paths.has('/upload/files/trash') && mayAskOfDeleted(files, 'show', caller);
  const usedComponents = [...components.values()].filter((component) => used.has(component));
  return {
    contentTypes: visibleTypes.map((type) => ({
      ...describeType(type, caller),
      ...defined({ preview: previews[type.uid] }),
      ...(settings.drafts === 'restricted' && hidesDrafts(type, caller) && { hidesDrafts: true }),
      ...(savesCopies(type, caller, http.answererOf) && { workingCopies: true }),
      ...(hasTrash(http, type, caller) && { trash: type.trash?.days }),
      ...(paths.has(reviewPath(type)) && mayReview(type, caller) && { review: true }),
    })),
    components: usedComponents.map((component) => ({
      uid: component.uid,
      displayName: component.displayName,
      ...defined({ description: component.description, icon: component.icon }),
      ...component.editor,
      attributes: describeAttributes(component, caller),
    })),
    files: {
      ...rightsTo('plugin::upload.content-api', 'find', 'upload', 'destroy'),
      ...(caller.may('plugin::upload.content-api.upload') && defined({ limit: http.fileLimit })),
      ...(keepsFiles && { trash: files.trash?.days }),
    },
    folders: Object.fromEntries(
      ['find', 'create', 'update', 'delete'].map((name) => {
        const action = `${FOLDER}.${name}`;
        return [name, auth.actions.includes(action) && caller.may(action)];
      }),
    ),
    tokens: rightsTo('plugin::api-tokens.token', 'find', 'create', 'delete'),
  };
}

/**
 * Whether the caller may save what is prepared of a published entry. Where code of the project answers, there is no
 * status.
 */
const savesCopies = (type: ContentType, caller: Caller, answererOf: AnswererOf): boolean =>
  type.copies !== undefined &&
  mayReview(type, caller) &&
  isOffered(answererOf, type, { shortcutOf: ['findOne', 'update'], allowedWithGuards: true });

/** Whether the caller may ask to publish what is prepared. */
const mayReview = (type: ContentType, caller: Caller): boolean =>
  caller.may(`${type.uid}.update`) && mayAsk(type, 'save', caller);

/** Whether the caller may list the deleted entries of a type. */
function hasTrash({ reachable }: Pick<HttpServices, 'reachable'>, type: ContentType, caller: Caller): boolean {
  if (type.trash === undefined || !reachable().hasRoute(type, contentTypeRoutes.findDeleted)) return false;
  return mayAskOfDeleted(type, 'show', caller);
}

/** A content type or a component, as it is described. */
export interface DescribedModel extends Data {
  readonly uid: string;
  readonly plain?: boolean;
  readonly attributes: ReturnType<typeof describeAttributes>;
}

function describeType(type: ContentType, caller: Caller) {
  const { uid, kind, displayName, description, draftAndPublish } = type;
  return {
    uid,
    kind,
    displayName,
    ...namesOfEntries(type),
    ...defined({ description }),
    path: special[uid]?.['path'] ?? pathNameOf(type),
    /** Users and roles are records without an envelope. */
    plain: uid in special,
    draftAndPublish,
    localized: isLocalized(type),
    ...type.editor,
    actions: actions.filter((action) => caller.may(actionOf(uid, action))),
    attributes: describeAttributes(type, caller),
  };
}

function describeAttributes(model: ContentType | Component, caller: Caller) {
  const { read, create, update } = accessTo(model, caller);
  return [...model.attributes.values()]
    .filter((attribute) => canReadRelation(attribute, caller) && isInForms(model, attribute))
    .map((attribute) => ({
      name: attribute.name,
      read: read(attribute),
      create: create(attribute),
      update: update(attribute),
      required: attribute.required || (model.uid === USER && requiredOfUsers.has(attribute.name)),
      ...(model.kind !== 'component' && isLocalized(model) && isShared(attribute, model) && { shared: true }),
      ...attribute.editor,
      ...describeValue(attribute, caller),
    }))
    .filter(({ read, create, update }) => read || create || update);
}

/** The plugin of users sets these itself. */
const setForUsers: ReadonlySet<string> = new Set([
  'provider',
  'resetPasswordToken',
  'resetPasswordExpiresAt',
  'confirmationToken',
  'confirmationExpiresAt',
]);
/** Their routes require these of new users, not the definition. */
const requiredOfUsers: ReadonlySet<string> = new Set(['password', 'role']);

function isInForms({ uid }: ContentType | Component, attribute: Attribute): boolean {
  if (attribute.isHidden === true) return false;
  if (uid === ROLE) return attribute.kind === 'scalar' && attribute.name !== 'type';
  return attribute.name !== 'localizations' && !(uid === USER && setForUsers.has(attribute.name));
}

type Test = (attribute: Attribute) => boolean;

/** What the caller may do with an attribute. Components have no permissions of their own. */
function accessTo(
  model: ContentType | Component,
  caller: Caller,
): Readonly<Record<'read' | 'create' | 'update', Test>> {
  const isShown: Test = (attribute) =>
    !attribute.private && !(attribute.kind === 'scalar' && attribute.type === 'password');
  // As in Strapi v4, a `morphOne` is only written from its other side.
  const isWritten: Test = (attribute) =>
    attribute.writable && (attribute.kind !== 'morphed' || attribute.many) && !isOtherSideWithheld(attribute, caller);
  if (model.kind === 'component') return { read: isShown, create: isWritten, update: isWritten };
  const allows = (action: string): Test => {
    const name = `${model.uid}.${action}`;
    const withheld = caller.may(name) ? caller.withheld?.(name) : undefined;
    return (attribute) => caller.may(name) && withheld?.has(attribute) !== true;
  };
  // A single type has no `create`, and who may not create entries may still translate them.
  const creating = model.kind === 'singleType' ? ['createLocalization', 'update'] : ['create', 'createLocalization'];
  const permitted = creating.find((action) => caller.may(`${model.uid}.${action}`)) ?? 'create';
  const [find, findOne] = [allows('find'), allows('findOne')];
  const [create, update] = [allows(permitted), allows('update')];
  return {
    read: (attribute) => isShown(attribute) && (find(attribute) || findOne(attribute)),
    create: (attribute) => isWritten(attribute) && create(attribute),
    update: (attribute) => isWritten(attribute) && update(attribute),
  };
}

/** Whether an entry that gets a related one takes it from the entry that has it. */
const takesTargets = (attribute: RelationAttribute | MorphedAttribute): boolean =>
  attribute.kind === 'morphed' ||
  (attribute.inverse !== undefined && ['oneToOne', 'oneToMany'].includes(attribute.relation));

function describeValue(attribute: Attribute, caller: Caller): Data {
  switch (attribute.kind) {
    case 'scalar': {
      const { type, unique, min, max, minLength, maxLength, regex, enum: values, targetField } = attribute;
      return {
        type,
        unique,
        ...defined({ min, max, minLength, maxLength, regex: regex?.source, values, targetField }),
        ...defined({ default: attribute.default }),
        ...(attribute.generatedFrom !== undefined && { generated: true }),
      };
    }
    case 'relation':
    case 'morphed': {
      const { many: multiple, target } = attribute;
      if (attribute.kind === 'relation' && attribute.media && target.uid === FILE)
        return { type: 'media', multiple, ...defined({ kinds: attribute.allowedTypes }) };
      return {
        type: 'relation',
        multiple,
        targets: [target.uid],
        morph: false,
        ...(attribute.kind === 'morphed' && { unordered: true }),
        ...(takesTargets(attribute) && { exclusive: true }),
        ...(isStoredInTarget(attribute) && { inverse: true }),
      };
    }
    case 'morph': {
      const targets = [...attribute.candidates.keys()].filter((uid) => caller.may(`${uid}.find`));
      return { type: 'relation', multiple: attribute.many, targets, morph: true };
    }
    case 'component':
    case 'zone':
      return {
        type: attribute.kind === 'zone' ? 'dynamiczone' : 'component',
        multiple: isComponentList(attribute),
        components: allowedComponents(attribute).map(({ uid }) => uid),
        ...defined({ min: attribute.min, max: attribute.max }),
      };
    default:
      return attribute satisfies never;
  }
}
