import type { RenderCase } from './case.ts';
import { buildMetadataCases } from './build-metadata.ts';
import { changeCases } from './changes.ts';
import { compositionCases } from './composition.ts';
import { configurationCases } from './configurations.ts';
import { generatorCases } from './generators.ts';
import { jsonPatchCases } from './json-patches.ts';
import { lastLineCases } from './last-lines.ts';
import { mergePatchCases } from './merge-patches.ts';
import { nullCases } from './nulls.ts';
import { overlayCases } from './overlays.ts';
import { replacementCases } from './replacements.ts';
import { scalarCases } from './scalars.ts';
import { transformerCases } from './transformers.ts';

export { refusalCases } from './refusals/index.ts';

/** What op-sdk renders as kustomize does. */
export const renderCases: readonly RenderCase[] = [
  ...compositionCases,
  ...changeCases,
  ...mergePatchCases,
  ...jsonPatchCases,
  ...replacementCases,
  ...generatorCases,
  ...configurationCases,
  ...buildMetadataCases,
  ...overlayCases,
  ...scalarCases,
  ...lastLineCases,
  ...nullCases,
  ...transformerCases,
];
