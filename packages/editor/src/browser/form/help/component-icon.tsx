import type { LucideIcon } from 'lucide-react';
import { lazy, Suspense } from 'react';

/** Only forms with pictures need them. */
const Picture = lazy(async () => {
  const { icons } = await import('./icons.js');
  const byName = new Map<string, LucideIcon>(Object.entries(icons));
  return {
    default: ({ name }: { readonly name: string }) => {
      const Icon = byName.get(name);
      return Icon && <Icon size={16} aria-hidden="true" />;
    },
  };
});

/** The picture of a component, by its name in Strapi; nothing for another name. */
export function ComponentIcon({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return undefined;
  return (
    <Suspense fallback={<span className="icon" />}>
      <Picture name={name} />
    </Suspense>
  );
}
