import { z } from 'zod';

/** Parameters of tools. */
export const type = z
  .string()
  .max(200)
  .describe('A content type: its uid, e.g. api::article.article, or its name in paths, e.g. articles');
export const id = z.number().int().positive();
export const locale = z
  .string()
  .max(20)
  .optional()
  .describe('A locale code of a localized type; default: the default locale');

export const operation = z.strictObject({
  action: z.enum(['create', 'update', 'delete', 'publish', 'unpublish', 'schedule']),
  type: type.describe(
    'A content type: its uid or its name in paths; or "files", of which update changes name, alternativeText and caption',
  ),
  id: id.optional().describe('The entry; not for create, nor for a single type'),
  data: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'For create and update: the values that change. Relations are ids; {"connect": [3], "disconnect": [4]} changes a list. A localization has "locale"',
    ),
  as: z
    .string()
    .max(64)
    .optional()
    .describe('For create: a name by which later operations relate to the new entry, as "$name"'),
  locale: locale.describe('For a localized single type: its localization; default: that in the default locale'),
  localizationOf: z
    .union([id, z.string().max(65).startsWith('$')])
    .optional()
    .describe(
      'For create: the entry of which the new one is the localization, in the "locale" of its data: its id (get_entry shows that of a single type too), or "$name"',
    ),
  publishAt: z.iso.datetime().nullable().optional().describe('For schedule'),
  unpublishAt: z.iso.datetime().nullable().optional().describe('For schedule'),
});

/** An operation as an assistant writes it. */
export type AssistantOperation = z.infer<typeof operation> & {
  /** The version that it changes; default: the present one. */
  readonly ifMatch?: string;
};
