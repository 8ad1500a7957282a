import type { ComponentProps } from 'react';
import type { Content } from '../model/schema.js';
import type { FileRecord } from '../model/values.js';
import { ConfirmDeletion } from '../shell/deletion/confirm-deletion.js';
import { checkOf } from '../shell/deletion/unchecked.js';
import { Usage, useUsage } from './usage.js';

type Props = Omit<ComponentProps<typeof ConfirmDeletion>, 'action' | 'check' | 'children'> & {
  readonly content: Content;
  readonly files: readonly FileRecord[];
};

/** Asks before files are deleted, and names the entries that use them. */
export function ConfirmFileDeletion({ content, files, ...question }: Props) {
  const usage = useUsage({ content, files });
  return (
    <ConfirmDeletion {...question} check={checkOf(usage)}>
      <Usage usage={usage} />
    </ConfirmDeletion>
  );
}
