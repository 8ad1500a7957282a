import { useQuery } from '@tanstack/react-query';
import { useSession } from '../api/session.js';

/** How people can log in. */
export interface Ways {
  readonly passwords: boolean;
  /** A forgotten password is replaced by mail. */
  readonly sendsPasswords: boolean;
  /** Services whose accounts they can use; the path of the page to come back to is added to the address. */
  readonly providers: readonly { readonly label: string; readonly address: string }[];
}

/** How people can log in; undefined: it is not known yet. */
export function useWays(): Ways | undefined {
  const { anonymous } = useSession();
  const { data } = useQuery({
    queryKey: ['account'],
    queryFn: async () => ((await anonymous.get('admin/account')).body as { readonly data: Ways }).data,
  });
  return data;
}
