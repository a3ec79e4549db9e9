import type { DefaultValidator } from '../rules/validators.ts';
import type { Check } from '../types.ts';
import { checkOwnedCrds } from './bundle/check-owned-crds.ts';
import { checkRelatedImages, checkReleaseName, checkServiceAccounts } from './bundle/check-references.ts';
import { checkBundleSize } from './bundle/check-size.ts';
import { checkBundleObjects } from './content/check-objects.ts';
import { checkDefinitionRules } from './crd/check-definitions.ts';
import { checkAnnotationNames } from './csv/check-annotation-names.ts';
import { checkExamples } from './csv/check-examples.ts';
import { checkInstallModes } from './csv/check-install-modes.ts';
import { checkApiVersion, checkMinKubeVersion, checkCsvNames } from './csv/check-names.ts';
import { checkRequiredFields } from './csv/check-required-fields.ts';
import { checkAnnotations } from './format/check-annotations.ts';
import { checkDecoding } from './format/check-decoding.ts';
import { checkDependencies } from './format/check-dependencies.ts';
import { checkSupportedKinds } from './format/check-kinds.ts';
import { checkAnnotationValues } from './opsdk/check-annotations.ts';
import { checkSchemas } from './opsdk/check-definitions.ts';
import { checkBudgets } from './opsdk/check-budgets.ts';
import { checkChannelNames } from './opsdk/check-channels.ts';
import { checkDeployments } from './opsdk/check-deployments.ts';
import { checkDockerfile } from './opsdk/check-dockerfile.ts';
import { checkModes } from './opsdk/check-install-modes.ts';
import { checkIconContent } from './opsdk/check-icon.ts';
import { checkOlmV1 } from './opsdk/check-olm-v1.ts';
import { checkObjectsFurther } from './opsdk/check-objects.ts';
import { checkProperties } from './opsdk/check-properties.ts';
import { checkRemovedApis } from './opsdk/check-removed-apis.ts';
import { checkShape } from './opsdk/check-shape.ts';
import { checkTexts } from './opsdk/check-texts.ts';
import { checkWebhooks } from './opsdk/check-webhooks.ts';

/** The rules of the validators that always run. */
export const defaultChecks: { readonly [V in DefaultValidator]: readonly Check<V>[] } = {
  format: [checkSupportedKinds, checkAnnotations, checkDependencies, checkDecoding],
  content: [checkBundleObjects],
  bundle: [checkOwnedCrds, checkServiceAccounts, checkBundleSize, checkReleaseName, checkRelatedImages],
  csv: [
    checkCsvNames,
    checkExamples,
    checkInstallModes,
    checkMinKubeVersion,
    checkRequiredFields,
    checkAnnotationNames,
    checkApiVersion,
  ],
  crd: [checkDefinitionRules],
  opsdk: [
    checkObjectsFurther,
    checkRemovedApis,
    checkBudgets,
    checkAnnotationValues,
    checkChannelNames,
    checkProperties,
    checkShape,
    checkModes,
    checkOlmV1,
    checkIconContent,
    checkTexts,
    checkDeployments,
    checkWebhooks,
    checkSchemas,
    checkDockerfile,
  ],
};
