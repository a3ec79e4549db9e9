import { noDescriptors } from './descriptors/kind-descriptors.ts';
import type { GeneratedSchema } from './generate-schema.ts';

/** What there is of a kind whose schema could not be generated; the findings say why. */
export const nothingGenerated: Omit<GeneratedSchema, 'findings'> = {
  schema: {},
  warnings: [],
  allows: { used: [], unused: [] },
  descriptors: noDescriptors,
  printerColumns: [],
  selectableFields: [],
  scale: {},
};
