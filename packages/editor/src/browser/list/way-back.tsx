import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import { useTexts } from '../language/language.js';

/** Leads from one of many to their list. */
export function WayBack({ to, list }: { readonly to: string; readonly list: string }) {
  return (
    <nav className="way-back" aria-label={useTexts().form.wayBack}>
      <Link href={to}>
        <ArrowLeft size={16} aria-hidden="true" /> {list}
      </Link>
    </nav>
  );
}
