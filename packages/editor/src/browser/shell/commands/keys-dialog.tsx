import { useState } from 'react';
import { useTexts } from '../../language/language.js';
import { shortcutNames, shortcuts, type ShortcutScope } from '../../model/commands/shortcuts.js';
import { Dialog } from '../dialog.js';
import { useKeysOf } from './use-keys.js';
import { chooseSingleKeys, usesSingleKeys } from './use-shortcuts.js';

const scopes: readonly ShortcutScope[] = ['everywhere', 'list', 'form', 'text'];

/** All keys with a meaning of their own. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { keys: texts } = useTexts();
  const keysOf = useKeysOf();
  const [areSingle, setSingle] = useState(usesSingleKeys);
  return (
    <Dialog title={texts.title} onClose={onClose} className="keys">
      <label className="check">
        <input
          type="checkbox"
          checked={areSingle}
          onChange={({ target }) => {
            setSingle(target.checked);
            chooseSingleKeys(target.checked);
          }}
        />
        {texts.single}
      </label>
      {scopes.map((scope) => (
        <section key={scope}>
          <h3>{texts.scopes[scope]}</h3>
          {scope === 'text' && <p className="hint">{texts.textsFirst}</p>}
          <dl>
            {shortcutNames
              .filter((name) => shortcuts[name].scope === scope)
              .map((name) => (
                <div key={name}>
                  <dt>{texts.labels[name]}</dt>
                  <dd>
                    <kbd>{keysOf(name).written}</kbd>
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
