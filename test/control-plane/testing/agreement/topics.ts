import type { Case } from './case.ts';
import { cases as applyCases } from './cases/apply.ts';
import { cases as builtInCases } from './cases/built-in.ts';
import { cases as createCases } from './cases/create.ts';
import { cases as defaultsAndPruningCases } from './cases/defaults-and-pruning.ts';
import { cases as deleteCases } from './cases/delete.ts';
import { cases as garbageCases } from './cases/garbage.ts';
import { cases as listsCases } from './cases/lists.ts';
import { cases as patchCases } from './cases/patch.ts';
import { cases as scaleCases } from './cases/scale.ts';
import { cases as statusCases } from './cases/status.ts';
import { cases as updateCases } from './cases/update.ts';
import { cases as validationCases } from './cases/validation.ts';
import { cases as watchesCases } from './cases/watches.ts';

/** All cases, by topic. */
export const topics: Readonly<Record<string, readonly Case[]>> = {
  apply: applyCases,
  'built-in': builtInCases,
  create: createCases,
  'defaults-and-pruning': defaultsAndPruningCases,
  delete: deleteCases,
  garbage: garbageCases,
  lists: listsCases,
  patch: patchCases,
  scale: scaleCases,
  status: statusCases,
  update: updateCases,
  validation: validationCases,
  watches: watchesCases,
};
