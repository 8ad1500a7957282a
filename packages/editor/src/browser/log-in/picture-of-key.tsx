import { useMemo } from 'react';
import { useTexts } from '../language/language.js';
import { drawCode } from './code-picture.js';

/** What an app of codes reads with the camera. @param address of the key, `otpauth://…` */
export function PictureOfKey({ address }: { readonly address: string }) {
  const { picture } = useTexts().account.secondFactor;
  const { size, path } = useMemo(() => drawCode(address), [address]);
  return (
    <svg className="code-picture" role="img" aria-label={picture} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}
