import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../language/language.js';
import { OrderedItem, useOrder, type Order } from '../../inputs/ordered-item.js';
import { orderAttributes, removeAttribute } from '../../model/builder/edit.js';
import {
  isLocalized,
  nameOf,
  rulesOf,
  targetsOf,
  type AttributeDefinition,
  type DefinedModel,
} from '../../model/builder/models.js';
import { useNotice, useWithdraw, type Notice } from '../../shell/notices.js';
import { AttributeDialog } from './attribute-dialog.js';
import { useEditing } from '../edit-context.js';

interface Props {
  readonly model: DefinedModel;
  readonly models: readonly DefinedModel[];
}

/** The attributes of a model with their types and rules, and where they lead. */
export function AttributeTable({ model, models }: Props) {
  const { builder: texts, common, inputs } = useTexts();
  const show = useNotice();
  const editing = useEditing();
  const withdraw = useWithdraw();
  const removal = useRef<{ readonly notice: Notice; readonly after: readonly DefinedModel[] }>(undefined);
  // What is changed after a removal would go with its Undo.
  useEffect(
    () => () => {
      const { notice, after } = removal.current ?? {};
      if (notice !== undefined && editing?.models === after) withdraw(notice);
    },
    [editing?.models],
  );
  const [edited, setEdited] = useState<string>();
  const attributes = Object.entries(model.definition.attributes);
  const moving = useOrder(Object.keys(model.definition.attributes), (names) =>
    editing?.setModels(orderAttributes(editing.models, model.uid, names)),
  );
  const order: Order = {
    ...moving,
    // The other side of a relation goes with it.
    remove: (_index, name) => {
      if (editing === undefined) return;
      const { models: former, setModels } = editing;
      const after = removeAttribute(former, model.uid, name);
      setModels(after);
      const undo = { label: inputs.undo, run: () => setModels(former) };
      const notice: Notice = { kind: 'done', text: inputs.removed(name), action: undo };
      show(notice);
      removal.current = { notice, after };
    },
  };
  if (attributes.length === 0) return <p className="hint">{texts.noAttributes}</p>;
  return (
    <div className="scroll" role="region" aria-label={texts.attributes} tabIndex={0}>
      <table className="entries defined">
        <thead>
          <tr>
            <th scope="col">{common.name}</th>
            <th scope="col">{common.type}</th>
            <th scope="col">{texts.rules}</th>
            <th scope="col">{texts.leadsTo}</th>
            {editing !== undefined && <th scope="col">{texts.change}</th>}
          </tr>
        </thead>
        <tbody>
          {attributes.map(([name, attribute], index) => (
            <Row key={name} name={name} index={index} order={editing && order} onEdit={() => setEdited(name)}>
              <td className="name">{name}</td>
              <td>
                <code>{kindOf(attribute)}</code>
              </td>
              <td className="rules">
                {rulesOf(attribute).map(([rule, value]) => (
                  <span key={rule} className="tag">
                    {texts.rule[rule]}
                    {value !== '' && <code> {value}</code>}
                  </span>
                ))}
                {isLocalized(attribute['pluginOptions']) && <span className="tag">{texts.localized}</span>}
              </td>
              <td>
                <Targets attribute={attribute} models={models} />
              </td>
            </Row>
          ))}
        </tbody>
      </table>
      {edited !== undefined && <AttributeDialog model={model} name={edited} onClose={() => setEdited(undefined)} />}
    </div>
  );
}

interface RowProps {
  readonly name: string;
  readonly index: number;
  /** Undefined: nothing can be changed. */
  readonly order: Order | undefined;
  readonly onEdit: () => void;
  readonly children: ReactNode;
}

function Row({ name, index, order, onEdit, children }: RowProps) {
  const { builder: texts, common } = useTexts();
  if (order === undefined) return <tr>{children}</tr>;
  return (
    <OrderedItem as="tr" order={order} index={index} label={name} className="defined">
      {(buttons) => (
        <>
          {children}
          <td className="change">
            <div className="row">
              <button type="button" aria-label={texts.editOne(name)} onClick={onEdit}>
                {common.edit}
              </button>
              {buttons}
            </div>
          </td>
        </>
      )}
    </OrderedItem>
  );
}

/** A relation is named by how many entries lead to how many. */
const kindOf = ({ type, relation }: AttributeDefinition): string => (typeof relation === 'string' ? relation : type);

function Targets({ attribute, models }: Pick<Props, 'models'> & { readonly attribute: AttributeDefinition }) {
  const texts = useTexts().builder;
  const { uids, otherSide } = targetsOf(attribute);
  return (
    <>
      {uids.map((uid) => {
        const target = models.find((model) => model.uid === uid);
        if (target === undefined) return <code key={uid}>{uid}</code>;
        return (
          <Link key={uid} href={`/types/${uid}`} className="target">
            {nameOf(target)}
          </Link>
        );
      })}
      {otherSide !== undefined && <span className="quiet-text">{texts.otherSide(otherSide)}</span>}
    </>
  );
}
