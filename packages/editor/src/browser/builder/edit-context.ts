import { createContext, use } from 'react';
import type { DefinedModel } from '../model/builder/models.js';

interface Editing {
  /** As their files have them. */
  readonly stored: readonly DefinedModel[];
  readonly models: readonly DefinedModel[];
  readonly setModels: (models: readonly DefinedModel[]) => void;
}

export const EditContext = createContext<Editing | undefined>(undefined);

/** The models as they are edited; undefined where they can only be read. */
export const useEditing = (): Editing | undefined => use(EditContext);
