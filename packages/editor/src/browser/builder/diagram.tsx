import { Link } from 'wouter';
import { useTexts } from '../language/language.js';
import { BOX, drawDiagram } from '../model/builder/diagram.js';
import { nameOf, type DefinedModel } from '../model/builder/models.js';

/** Content types and their relations; each box leads to its type. */
export function TypeDiagram({ models }: { readonly models: readonly DefinedModel[] }) {
  const texts = useTexts().builder;
  const { boxes, lines, width, height } = drawDiagram(models);
  return (
    <div className="scroll diagram" role="region" aria-label={texts.diagram} tabIndex={0}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={texts.diagramOf(boxes.length, lines.length)}
      >
        {lines.map(({ from, to, label, path }) => (
          <path key={`${from} ${to} ${label}`} d={path} />
        ))}
        {lines.map(({ from, to, label, anchor, x, y }) => (
          <text key={`${from} ${to} ${label}`} className="relation" textAnchor={anchor} x={x} y={y + 4}>
            {label}
          </text>
        ))}
        {boxes.map(({ uid, x, y }) => {
          const model = models.find((other) => other.uid === uid);
          if (model === undefined) return null;
          return (
            <Link key={uid} href={`/types/${uid}`}>
              <rect x={x} y={y} width={BOX.width} height={BOX.height} rx="10" />
              <text className="name" x={x + 14} y={y + 28}>
                {nameOf(model)}
              </text>
              <text className="count" x={x + 14} y={y + 48}>
                {texts.count(Object.keys(model.definition.attributes).length)}
              </text>
            </Link>
          );
        })}
      </svg>
    </div>
  );
}
