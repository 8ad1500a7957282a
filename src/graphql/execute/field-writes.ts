import type { WriteForm } from '../../plugins/contract/graphql/form.js';
import { orNothing, type Operation } from './field-reads.js';

/** What does the writes of fields, whose results are the written entries. */
export type Writes = Readonly<Record<keyof WriteForm, (...field: Parameters<Operation>) => Promise<unknown>>>;

/** The fields of Mutation of a content type, in any schema, whoever does the writes. */
export const fieldWrites = (writes: Writes): Readonly<Record<keyof WriteForm, Operation>> => ({
  create: async (...field) => ({ value: await writes.create(...field) }),
  update: async (...field) => orNothing(() => writes.update(...field)),
  delete: async (...field) => orNothing(() => writes.delete(...field)),
  updateSingle: async (...field) => failAtValue(() => writes.updateSingle(...field)),
  deleteSingle: async (...field) => ({ value: await writes.deleteSingle(...field) }),
});

/** The writes of a form, which the service does itself. */
export function writesOf(form: WriteForm): Writes {
  const write =
    (name: keyof WriteForm): Writes[typeof name] =>
    (type, args, context, info) =>
      form[name](type, args, context.entryRequest(type, info));
  return {
    create: write('create'),
    update: write('update'),
    delete: write('delete'),
    updateSingle: write('updateSingle'),
    deleteSingle: write('deleteSingle'),
  };
}

/**
 * As recorded, errors in the data of a single type have the path of `data`: as in Strapi v4, the value is a promise.
 */
async function failAtValue(work: () => Promise<unknown>): Promise<{ readonly value: unknown }> {
  const value = work();
  await value.catch(() => undefined);
  return { value };
}
