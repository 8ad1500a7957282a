import type { Difference } from './find-differences.js';

/** A rule of docs/compatibility.md, in its words, and the differences that it explains. */
interface Explanation {
  readonly rule: string;
  /** In the request, decoded. */
  readonly request?: RegExp;
  /** In the cause of the difference. */
  readonly cause?: RegExp;
}

/** The first that fits counts. A test finds each rule on the page. */
export const explanations: readonly Explanation[] = [
  { rule: 'requests that Strapi v4 answers with 500', cause: /^status: Strapi 5\d\d/ },
  { rule: '`meta.availableLocales` of a localized entry', cause: /(?:^|\.)meta(?:\.availableLocales)?: only in this service$/ },
  { rule: '`%` and `_` in `$contains` and similar operators', request: /\[\$(?:not)?(?:contains|startsWith|endsWith)i?\]=[^&]*[%_]/i },
  { rule: 'letters beyond ASCII in operators that ignore case', request: /\[\$\w+i\]=[^&]*[^\0-\x7f]/i },
  { rule: 'searches private attributes, too', request: /[?&]_q=/ },
  { rule: 'a list of more than 100 values', request: /\[(?:1\d\d|[2-9]\d\d)\]=/ },
  { rule: '`limit` within a populated list', request: /populate\[[^=]*\[limit\]=/ },
  { rule: 'lists without a sort, and entries with equal sort keys', cause: /: other order$/ },
  { rule: 'also returns the sort keys', cause: /: missing in this service$/, request: /fields.*sort|sort.*fields/ },
  { rule: 'integers beyond 2^53', cause: /different value$/, request: /\d{16}/ },
  { rule: 'the cost of a query', cause: /^status: Strapi 200, this service 400/, request: /populate/ },
  { rule: '`Authorization: Basic …`, or without a token', request: /graphql.*\(Authorization: /i, cause: /this service 401$/ },
  { rule: 'bodies of the type `application/x-www-form-urlencoded`', request: /^POST \S*graphql\S* (?:\(.*?\) )?\w+=/, cause: /this service 400$/ },
  { rule: 'Relations of components', request: /graphql/i, cause: /this service null$/ },
  { rule: 'differs only in the wording of an error', cause: /^error\.(?:message|details)/ },
]; // prettier-ignore

/** The rule that explains a difference of the answers to a request; undefined: nobody expected it. */
export function explain(request: string, { cause }: Difference): string | undefined {
  const text = decode(request);
  return explanations.find(
    (explanation) => (explanation.request?.test(text) ?? true) && (explanation.cause?.test(cause) ?? true),
  )?.rule;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
