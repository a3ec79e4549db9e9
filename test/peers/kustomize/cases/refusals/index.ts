import type { RefusalCase } from '../case.ts';
import { accountRefusals } from './accounts.ts';
import { fieldRefusals } from './fields.ts';
import { jsonPatchRefusals } from './json-patches.ts';
import { mergePatchRefusals } from './merge-patches.ts';
import { replacementRefusals } from './replacements.ts';
import { scalarRefusals } from '../scalars.ts';

export const refusalCases: readonly RefusalCase[] = [
  ...mergePatchRefusals,
  ...jsonPatchRefusals,
  ...replacementRefusals,
  ...fieldRefusals,
  ...accountRefusals,
  ...scalarRefusals,
];
