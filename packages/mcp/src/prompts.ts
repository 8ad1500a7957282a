import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const type = z.string().describe('The content type');
const id = z.string().optional().describe('The id of the entry; not for a single type');

/** A usual task, as a prompt that a user can choose. */
interface Prompt {
  readonly title: string;
  readonly description: string;
  readonly arguments: Readonly<Record<string, z.ZodString | z.ZodOptional<z.ZodString>>>;
  readonly text: (given: Readonly<Record<string, string | undefined>>) => string;
}

const entryOf = (name: string | undefined, entry: string | undefined): string =>
  `the entry ${entry === undefined ? '' : `${entry} `}of ${name}`;

const prompts: Readonly<Record<string, Prompt>> = {
  translate: {
    title: 'Translate an entry',
    description: 'Translates an entry into another locale, as a proposal',
    arguments: { type, id, locale: z.string().describe('The locale code, e.g. de') },
    text: ({ type: name, id: entry, locale }) =>
      `Read ${entryOf(name, entry)} with populate "*". Translate its texts into the locale "${locale}". Keep names, links and Markdown. If it has a localization in "${locale}", propose to update that one, otherwise propose to create one with its id as "localizationOf", "locale": "${locale}" in its data, and the same relations and files. Show the differences.`,
  },
  fill_seo: {
    title: 'Fill missing SEO components',
    description: 'Proposes titles and descriptions for search engines where they are missing',
    arguments: { type },
    text: ({ type: name }) =>
      `Describe ${name} and find the component for search engines among its attributes. Find up to 20 entries in which it is missing. Write a title of at most 60 and a description of at most 160 characters for each, out of its own text. Propose the changes and show the differences.`,
  },
  alternative_texts: {
    title: 'Write alternative texts',
    description: 'Proposes alternative texts for the images of an entry',
    arguments: { type, id },
    text: ({ type: name, id: entry }) =>
      `Read ${entryOf(name, entry)} with populate "*". For each image without an alternative text, look at the image and its context, and write one sentence that says what it shows to somebody who cannot see it. Propose to update the alternativeText of these files, with the type "files", and show the differences.`,
  },
};

export function addPrompts(server: McpServer): void {
  for (const [name, { title, description, arguments: argsSchema, text }] of Object.entries(prompts)) {
    server.registerPrompt(name, { title, description, argsSchema }, (given) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: text(given as Readonly<Record<string, string | undefined>>) } },
      ],
    }));
  }
}
