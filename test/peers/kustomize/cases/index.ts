import type { RefusalCase, RenderCase } from './case.ts';
import { jsonPatchCases } from './json-patches.ts';
import { mergePatchCases } from './merge-patches.ts';
import { replacementCases } from './replacements.ts';

/** What op-sdk renders as kustomize does. */
export const renderCases: readonly RenderCase[] = [
  ...mergePatchCases,
  ...jsonPatchCases,
  ...replacementCases,
];

/** What op-sdk refuses. */
export const refusalCases: readonly RefusalCase[] = [];
