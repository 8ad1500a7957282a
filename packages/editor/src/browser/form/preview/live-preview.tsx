import { ExternalLink, Monitor, RotateCw, Smartphone, X } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../language/language.js';
import { useRoom } from './use-room.js';
import { useSite, type Previewed } from './use-site.js';

/** The widths of windows in which a site is seen, in CSS pixels. */
const widths = { phone: 390, desk: 1280 } as const;
const screens = [
  ['desk', Monitor],
  ['phone', Smartphone],
] as const;

/** The page of the site beside the form, as wide as on a phone or a desk. */
export function LivePreview({ onClose, ...previewed }: Previewed & { readonly onClose: () => void }) {
  const texts = useTexts().preview;
  const site = useSite(previewed);
  const [screen, setScreen] = useState<keyof typeof widths>('desk');
  const [box, room] = useRoom();
  const width = screen === 'desk' ? Math.max(widths.desk, room.width) : widths.phone;
  const scale = Math.min(1, room.width / width);
  return (
    <section className="preview" aria-label={texts.title}>
      <header>
        {screens.map(([name, Icon]) => (
          <button
            key={name}
            type="button"
            className="icon"
            aria-pressed={screen === name}
            aria-label={texts[name]}
            title={texts[name]}
            onClick={() => setScreen(name)}
          >
            <Icon aria-hidden />
          </button>
        ))}
        <button type="button" className="icon" aria-label={texts.reload} title={texts.reload} onClick={site.reload}>
          <RotateCw aria-hidden />
        </button>
        <a className="button icon" href={previewed.address} target="_blank" rel="noreferrer" title={texts.open}>
          <ExternalLink aria-hidden />
          <span className="hidden">{texts.open}</span>
        </a>
        <p className="hint" role="status">
          {site.isListening ? texts.typed : texts.saved}
        </p>
        <button type="button" className="icon" aria-label={texts.close} title={texts.close} onClick={onClose}>
          <X aria-hidden />
        </button>
      </header>
      <div ref={box} className="screen">
        <iframe
          key={site.loads}
          ref={site.frame}
          src={previewed.address}
          title={texts.title}
          // It keeps its cookies, and cannot take the place of the editor.
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
          style={{ width, height: room.height / scale, transform: `scale(${scale})` }}
        />
      </div>
    </section>
  );
}
