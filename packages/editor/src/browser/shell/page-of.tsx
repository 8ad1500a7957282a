import { useEffect, useState, type ComponentType } from 'react';
import { Loading, Unread } from './states.js';

/**
 * With Suspense, React would wait 300 ms before it replaces what it shows meanwhile, even by a page that is loaded
 * already.
 * @returns a page that is loaded when it is first shown, and what loads it before that
 */
export function pageOf<P extends object>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  const prepare = async (): Promise<ComponentType<P>> => (loaded ??= await load());
  const Loaded = (props: P) => {
    const [{ Page, error }, setState] = useState<{
      readonly Page?: ComponentType<P> | undefined;
      readonly error?: unknown;
    }>({ Page: loaded });
    useEffect(() => {
      if (Page === undefined)
        prepare().then(
          (Page) => setState({ Page }),
          (error: unknown) => setState({ error }),
        );
    }, [Page]);
    if (Page !== undefined) return <Page {...props} />;
    return error === undefined ? <Loading /> : <Unread error={error} />;
  };
  return [Loaded, prepare] as const;
}
