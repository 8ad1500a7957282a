import { Link } from 'wouter';
import { useTexts } from '../language/language.js';

/** Leads from one of many to their list. */
export function WayBack({ to, list }: { readonly to: string; readonly list: string }) {
  return (
    <nav className="way-back" aria-label={useTexts().form.wayBack}>
      <Link href={to}>← {list}</Link>
    </nav>
  );
}
