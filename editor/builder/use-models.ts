import { useQuery } from '@tanstack/react-query';
import { readModels } from '../api/definitions.js';
import { useSession } from '../api/session.js';

/** The content types and components of the project. */
export function useModels() {
  const { api } = useSession();
  return useQuery({ queryKey: ['models'], queryFn: () => readModels(api) });
}
