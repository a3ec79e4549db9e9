import type { DefaultValidator, ValidatorName } from './validators.ts';
import type { Check } from '../types.ts';
import {
  checkOwnedCrds,
  checkRelatedImages,
  checkReleaseName,
  checkServiceAccounts,
  checkBundleSize,
} from './bundle.ts';
import { checkExamples } from './examples.ts';
import {
  checkRequiredFields,
  checkShape,
  checkCsvNames,
  checkApiVersion,
  checkMinKubeVersion,
  checkInstallModes,
  checkDecoding,
  checkModes,
  checkOlmV1,
  checkAnnotationNames,
} from './csv.ts';
import { checkBundleObjects } from './content.ts';
import {
  checkAnnotations,
  checkDependencies,
  checkAnnotationValues,
  checkProperties,
  checkChannelNames,
} from './annotations.ts';
import { checkTexts, checkIconContent } from './texts.ts';
import { checkDeployments } from './deployments.ts';
import { checkBudgets, checkObjectsFurther, checkRemovedApis, checkSupportedKinds } from './objects.ts';
import { checkDockerfile } from './dockerfile.ts';
import { checkWebhooks } from './webhooks.ts';
import { checkSchemas, checkDefinitionRules } from './definitions.ts';
import { checkPlatforms } from './platforms.ts';
import { checkOpenShift } from './openshift.ts';
import { checkGoodPractices } from './good-practices.ts';
import { checkHarmfulObjects } from './harmful-objects.ts';
import {
  checkOperatorHubV2,
  checkOperatorHub,
  checkOperatorGroups,
  checkCategories,
  checkCapabilities,
  checkDeprecatedApis,
} from './hub.ts';

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

/** The rules of the validators that are selected: loaded where one is. */
export const optionalChecks: {
  readonly [V in Exclude<ValidatorName, DefaultValidator>]: readonly Check<V>[];
} = {
  operatorhubv2: [checkOperatorHubV2],
  capabilities: [checkCapabilities],
  categories: [checkCategories],
  'alpha-deprecated-apis': [checkDeprecatedApis],
  'good-practices': [checkGoodPractices],
  operatorhub: [checkOperatorHub],
  community: [checkOpenShift],
  object: [checkHarmfulObjects],
  operatorgroup: [checkOperatorGroups],
  multiarch: [checkPlatforms],
};
