import { reportRemovedApis } from '../../removed-apis.ts';
import type { Check } from '../../types.ts';

/** Source: operator-framework/api `removed_apis.go` `AlphaDeprecatedAPIsValidator`. */
export const checkDeprecatedApis: Check<'alpha-deprecated-apis'> = (bundle, report, settings) =>
  reportRemovedApis(bundle, report, settings);
