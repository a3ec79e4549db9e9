import type { ErrorCode, ExplainedCode } from '../../base/errors/index.ts';
import { clusterCodes } from '../../cluster/index.ts';
import { buildCodes } from '../../compiler/build/index.ts';
import { importCodes } from '../../compiler/import/index.ts';
import { manifestsCodes } from '../../compiler/manifests/index.ts';
import { schemaCodes } from '../../compiler/schema/index.ts';
import { imageCodes } from '../../images/index.ts';
import { crdCodes, diffCodes } from '../../kubernetes/crd/index.ts';
import { kustomizeCodes } from '../../kubernetes/kustomize/index.ts';
import { allRules, bundleCodes, validateCodes, type RuleOfValidator } from '../../olm/bundle/index.ts';
import { catalogCodes } from '../../olm/catalog/index.ts';
import { olmChoiceCodes, olmCodes } from '../../olm/install/index.ts';
import { olmRunCodes } from '../../olm/run/index.ts';
import { chartCodes } from '../../project/chart/index.ts';
import { upgradeCodes } from '../../project/upgrade/index.ts';
import { projectCodes } from '../../project/project/index.ts';
import { scaffoldCodes } from '../../project/scaffold/index.ts';
import { cliCodes, ioCodes, netCodes } from './cli.ts';
import { kubeCodes } from './kube.ts';
import { runtimeCodes } from './runtime.ts';
import { crdtestCodes, testapiCodes, testenvCodes, testingCodes } from './testing.ts';

/**
 * Explanations of all finding codes, grouped by the part of the code before the slash. The explanations for modules that ship in operators
 * are defined in this folder.
 */
export const explanations: Readonly<Record<ErrorCode, ExplainedCode>> = {
  ...buildCodes,
  ...validateCodes,
  ...bundleCodes,
  ...catalogCodes,
  ...cliCodes,
  ...clusterCodes,
  ...crdCodes,
  ...diffCodes,
  ...importCodes,
  ...ioCodes,
  ...kubeCodes,
  ...kustomizeCodes,
  ...manifestsCodes,
  ...netCodes,
  ...imageCodes,
  ...olmChoiceCodes,
  ...olmRunCodes,
  ...olmCodes,
  ...projectCodes,
  ...runtimeCodes,
  ...scaffoldCodes,
  ...chartCodes,
  ...upgradeCodes,
  ...schemaCodes,
  ...testapiCodes,
  ...crdtestCodes,
  ...testenvCodes,
  ...testingCodes,
};

/**
 * Rules of `op-sdk bundle validate`, by validator. The build writes both tables of this file out as data, so that `explain` does not load
 * the checks.
 */
export const validationRules: readonly RuleOfValidator[] = allRules();
