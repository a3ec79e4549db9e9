import type { ErrorCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';
import { buildExplanations } from './build.ts';
import { bundleValidateExplanations } from './bundle-validate.ts';
import { bundleExplanations } from './bundle.ts';
import { catalogExplanations } from './catalog.ts';
import { cliExplanations } from './cli.ts';
import { clusterExplanations } from './cluster.ts';
import { crdExplanations } from './crd.ts';
import { diffExplanations } from './diff.ts';
import { importV1beta1Explanations } from './import-v1beta1.ts';
import { importExplanations } from './import.ts';
import { ioExplanations } from './io.ts';
import { kubeExplanations } from './kube.ts';
import { kustomizeExplanations } from './kustomize.ts';
import { manifestsExplanations } from './manifests.ts';
import { netExplanations } from './net.ts';
import { ociExplanations } from './oci.ts';
import { olmChoiceExplanations } from './olm-choice.ts';
import { olmRunExplanations } from './olm-run.ts';
import { olmExplanations } from './olm.ts';
import { projectExplanations } from './project.ts';
import { runtimeExplanations } from './runtime.ts';
import { scaffoldExplanations } from './scaffold.ts';
import { schemaExplanations } from './schema.ts';
import { testapiExplanations } from './testapi.ts';
import { testenvExplanations } from './testenv.ts';
import { testingExplanations } from './testing.ts';

/** The explanation of every code, by room. */
export const explanations: Readonly<Record<ErrorCode, Explanation>> = {
  ...buildExplanations,
  ...bundleValidateExplanations,
  ...bundleExplanations,
  ...catalogExplanations,
  ...cliExplanations,
  ...clusterExplanations,
  ...crdExplanations,
  ...diffExplanations,
  ...importV1beta1Explanations,
  ...importExplanations,
  ...ioExplanations,
  ...kubeExplanations,
  ...kustomizeExplanations,
  ...manifestsExplanations,
  ...netExplanations,
  ...ociExplanations,
  ...olmChoiceExplanations,
  ...olmRunExplanations,
  ...olmExplanations,
  ...projectExplanations,
  ...runtimeExplanations,
  ...scaffoldExplanations,
  ...schemaExplanations,
  ...testapiExplanations,
  ...testenvExplanations,
  ...testingExplanations,
};
