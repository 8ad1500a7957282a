import { useQuery } from '@tanstack/react-query';
import { readRoles } from '../api/roles.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { ROLE } from '../model/schema.js';
import type { Links } from '../model/values.js';
import { Choice } from './choice.js';
import { Failure } from '../shell/notices.js';

interface Props {
  readonly label: string;
  readonly value: Links;
  readonly onChange: (value: Links) => void;
}

/** The role of a user: there are few, and a user has one. */
export function RoleInput({ label, value, onChange }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const { data, error } = useQuery({ queryKey: ['roles'], queryFn: () => readRoles(api) });
  // Visitors have it; a user who has it already keeps it.
  const roles = data?.filter(({ id, type }) => type !== 'public' || id === value.items[0]?.id);
  return (
    <>
      <Choice
        aria-label={label}
        placeholder={texts.roles.choose}
        value={String(value.items[0]?.id ?? '')}
        onChange={(chosen) => {
          const role = data?.find(({ id }) => id === Number(chosen));
          onChange({ ...value, items: role === undefined ? [] : [{ id: role.id, uid: ROLE, title: role.name }] });
        }}
        options={(roles ?? value.items.map(({ id, title }) => ({ id, name: title }))).map((role) => ({
          value: String(role.id),
          label: role.name,
        }))}
      />
      {error !== null && <Failure error={error} />}
    </>
  );
}
