import { isRecord, type Data } from '../../../../config/record.js';
import type { Workspace } from '../../../../mongo/maintenance/import-workspace.js';
import type { Item, LinkEnd, Where } from '../source.js';
import type { Model } from './load-models.js';
import { relationOf } from './translate-model.js';

interface Translating {
  readonly models: readonly Model[];
  readonly workspace: Workspace;
  readonly where: Where;
}

/** The links that are found in an entry are added to `links`. */
type Linking = Translating & { readonly links: Item[] };

/** Translates a document of v3 into an entry and its links, including those of components. */
export async function translateEntry(model: Model, document: Data, translating: Translating): Promise<readonly Item[]> {
  const links: Item[] = [];
  const id = await numberOf(model.uid, document['_id'], translating);
  const data = await translateValues(model, id, document, { ...translating, links });
  const timestamps = {
    createdAt: document['createdAt'] ?? document['created_at'] ?? null,
    updatedAt: document['updatedAt'] ?? document['updated_at'] ?? null,
    publishedAt: document['published_at'] ?? null,
    locale: document['locale'] ?? null,
  };
  const entry = entryData(model.uid, { ...document, ...data }, data);
  if (entry === undefined) return [];
  const { where } = translating;
  return [{ kind: 'entry', where, type: model.uid, id, data: { ...entry, ...timestamps } }, ...links];
}

/** The key of a component that is put aside. */
export const shelfKey = ({ globalId }: Pick<Model, 'globalId'>, id: unknown): string => `${globalId} ${String(id)}`;

const numberOf = (type: string, key: unknown, { workspace }: Translating): Promise<number> =>
  workspace.number(type, String(key));

/** v3's plugins store plain values by their own names; a permission has three fields, which are one action in v4. */
function entryData(uid: string, document: Data, attributes: Data): Data | undefined {
  if (uid === 'plugin::users-permissions.permission') {
    return document['enabled'] === true ? { action: actionOf(document) } : undefined;
  }
  return uid.startsWith('plugin::') ? document : attributes;
}

/** v3 writes actions in lower case. */
const camel: Readonly<Record<string, string>> = {
  findone: 'findOne',
  forgotpassword: 'forgotPassword',
  resetpassword: 'resetPassword',
  emailconfirmation: 'emailConfirmation',
  sendemailconfirmation: 'sendEmailConfirmation',
  changepassword: 'changePassword',
};

function actionOf({ type, controller, action }: Data): string {
  const [owner, name] = [String(type), String(controller)];
  const verb = camel[String(action)] ?? String(action);
  return owner === 'application' ? `api::${name}.${name}.${verb}` : `plugin::${owner}.${name}.${verb}`;
}

async function translateValues(model: Model, id: number, document: Data, linking: Linking): Promise<Data> {
  const { models, where, links } = linking;
  const data: Record<string, unknown> = {};
  const attributes = { ...model.attributes, localizations: { collection: model.name } };
  for (const [name, attribute] of Object.entries<Data>(attributes)) {
    const value = document[name] ?? null;
    const relation = relationOf(attribute, models);
    if (attribute['type'] === 'component' || attribute['type'] === 'dynamiczone') {
      const components = await translateComponents(value, attribute, linking);
      const single = attribute['type'] === 'component' && attribute['repeatable'] !== true;
      data[name] = single ? (components[0] ?? null) : components;
    } else if (relation === undefined) data[name] = value;
    else {
      for (const [index, element] of [value].flat().entries()) {
        const end = await endOf(element, relation.target, linking);
        if (end === undefined) continue;
        const left = { type: model.uid, id, field: name, place: index + 1 };
        // Media lead from the file, as in v4.
        const right = { ...end, field: relation.via, place: undefined };
        links.push({ kind: 'link', where, left, right });
      }
    }
  }
  return data;
}

/** The target of an id or of a morph's `{ kind, ref }`. */
async function endOf(
  element: unknown,
  target: Model | undefined,
  translating: Translating,
): Promise<Pick<LinkEnd, 'type' | 'id'> | undefined> {
  if (element === null) return undefined;
  const morph = isRecord(element) ? element : undefined;
  const type = morph === undefined ? target : translating.models.find(({ globalId }) => globalId === morph['kind']);
  if (type === undefined) return undefined;
  return { type: type.uid, id: await numberOf(type.uid, morph === undefined ? element : morph['ref'], translating) };
}

async function translateComponents(value: unknown, attribute: Data, linking: Linking): Promise<readonly Data[]> {
  const { models, workspace } = linking;
  const references = [value].flat().filter(isRecord);
  const keys = references.map(({ kind, ref }) => shelfKey({ globalId: String(kind) }, ref));
  const shelved = await workspace.take(keys);
  const components: Data[] = [];
  for (const [index, { kind, ref }] of references.entries()) {
    const model = models.find(({ globalId }) => globalId === kind);
    const document = shelved.get(keys[index] ?? '');
    if (model === undefined || document === undefined) continue;
    const id = await numberOf(model.uid, ref, linking);
    const data = await translateValues(model, id, document, linking);
    const zone = attribute['type'] === 'dynamiczone' ? { __component: model.uid } : {};
    components.push({ id, ...zone, ...data });
  }
  return components;
}
