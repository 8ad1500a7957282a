import { useQuery } from '@tanstack/react-query';
import { readDefinitions, readModels } from '../api/definitions.js';
import { useSession } from '../api/session.js';

/** Milliseconds between two looks at a service that restarts. */
const RESTART_MS = 700;

/** The content types and components of the project; where they can be changed, as their files have them. */
export function useModels(canBuild: boolean, isRestarting: boolean) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['models', canBuild],
    queryFn: () => (canBuild ? readDefinitions(api) : readModels(api)),
    // Attributes in another order are a change.
    structuralSharing: false,
    refetchInterval: isRestarting ? RESTART_MS : false,
  });
}
