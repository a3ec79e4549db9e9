import type { DefaultValidator, ValidatorName } from '../rules/validators.ts';
import type { Check } from '../types.ts';
import { checkCapabilities } from './capabilities/check-capabilities.ts';
import { checkCategories } from './categories/check-categories.ts';
import { checkDeprecatedApis } from './alpha-deprecated-apis/check-deprecated-apis.ts';
import { checkGoodPractices } from './good-practices/check-good-practices.ts';
import { checkHarmfulObjects } from './object/check-harmful-objects.ts';
import { checkPlatforms } from './multiarch/check-platforms.ts';
import { checkOpenShift } from './community/check-openshift.ts';
import { checkOperatorGroups } from './operatorgroup/check-operator-groups.ts';
import { checkOperatorHub, checkOperatorHubV2 } from './operatorhub/check-operatorhub.ts';

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
