import { useTexts } from '../language/language.js';
import { placesOf } from '../list/issue-places.js';
import type { Issue } from '../model/rules.js';
import type { Content, Model } from '../model/schema.js';
import type { Values } from '../model/values.js';

interface Props {
  readonly content: Content;
  readonly type: Model;
  readonly values: Values;
  readonly issues: readonly Issue[];
  readonly onGo: (issue: Issue) => void;
}

/** What has to be corrected, in the order of the form; each leads to its field. */
export function IssueList({ content, type, values, issues, onGo }: Props) {
  const texts = useTexts().publication;
  if (issues.length === 0) return undefined;
  return (
    <section className="issues" aria-label={texts.issues}>
      <h2>{texts.issues}</h2>
      <ul>
        {issues.map((issue) => (
          <li key={`${issue.path} ${issue.message}`}>
            <button type="button" className="quiet" onClick={() => onGo(issue)}>
              {placesOf(content, type, values, issue.path).join(' › ')}
            </button>
            {': '}
            {issue.message}
          </li>
        ))}
      </ul>
    </section>
  );
}
