import { useCallback } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useTexts } from '../language/language.js';
import { changesBetween, withRemoved } from '../model/builder/edit.js';
import type { Content } from '../model/schema.js';
import { Missing } from '../shell/missing.js';
import { Loading, Unread } from '../shell/states.js';
import { ChangesBar } from './review/changes-bar.js';
import { EditContext } from './edit-context.js';
import { TypePage } from './type-page.js';
import { TypesPage } from './types-page.js';
import { useEdited } from './use-edited.js';
import { useModels } from './use-models.js';
import { useRestart } from './use-restart.js';

/** The pages of content types; where they may be changed, with the changes that are not written yet. */
export function BuilderPages({ content: { definitions } }: { readonly content: Content }) {
  const canBuild = definitions.build;
  const texts = useTexts().builder;
  const [edited, setEdited] = useEdited();
  const discard = useCallback(() => setEdited(undefined), [setEdited]);
  // What was written is shown until the service has it.
  const restart = useRestart(discard);
  const [address, goTo] = useLocation();
  const { data, error } = useModels(canBuild, restart.isPending);
  if (data === undefined) return error === null ? <Loading /> : <Unread error={error} />;
  const all = edited ?? data.models;
  const models = all.filter(({ isRemoved }) => isRemoved !== true);
  const changes = changesBetween(data.models, all);
  const setModels = (changed: typeof all): void => setEdited(withRemoved(all, changed));
  return (
    <EditContext value={canBuild && !restart.isPending ? { stored: data.models, models, setModels } : undefined}>
      <Switch>
        <Route path="/types">
          <TypesPage models={models} />
        </Route>
        <Route path="/types/:uid">
          {({ uid }) => {
            const model = models.find((other) => other.uid === uid);
            return model === undefined ? <Missing /> : <TypePage model={model} models={models} />;
          }}
        </Route>
      </Switch>
      {restart.isPending ? (
        <p className="selection" role="status">
          {texts.restarting}
        </p>
      ) : (
        changes.length > 0 && (
          <ChangesBar
            changes={changes}
            onDiscard={() => {
              discard();
              // A new type is gone, and its page with it.
              if (!data.models.some(({ uid }) => address === `/types/${uid}`)) goTo('/types');
            }}
            onWritten={() => restart.await(data.started)}
          />
        )
      )}
    </EditContext>
  );
}
