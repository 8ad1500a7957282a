import { useQuery } from '@tanstack/react-query';
import { readRoles } from '../api/roles.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { labelOf, ROLE } from '../model/schema.js';
import type { Links } from '../model/values.js';
import { Failure } from '../shell/notices.js';

interface Props {
  readonly name: string;
  readonly value: Links;
  readonly onChange: (value: Links) => void;
}

/** The role of a user: there are few, and a user has one. */
export function RoleInput({ name, value, onChange }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const { data, error } = useQuery({ queryKey: ['roles'], queryFn: () => readRoles(api) });
  return (
    <>
      <select
        aria-label={labelOf(name)}
        value={value.items[0]?.id ?? ''}
        onChange={({ target }) => {
          const role = data?.find(({ id }) => id === Number(target.value));
          onChange({ ...value, items: role === undefined ? [] : [{ id: role.id, uid: ROLE, title: role.name }] });
        }}
      >
        <option value="" disabled>
          {texts.roles.choose}
        </option>
        {(data ?? value.items.map(({ id, title }) => ({ id, name: title }))).map((role) => (
          <option key={role.id} value={role.id}>
            {role.name}
          </option>
        ))}
      </select>
      {error !== null && <Failure error={error} />}
    </>
  );
}
